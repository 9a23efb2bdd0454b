import type { T } from '@/shared/i18n';

/** Short name of a kind of text, for tabs; null for a kind that is not known here. */
export const kindOf = (t: T, type: number): string | null =>
  type === 1
    ? t('companies.legalShort1')
    : type === 2
      ? t('companies.legalShort2')
      : type === 3
        ? t('legal.short3')
        : null;

/** Full name of a kind of text. */
export const kindName = (t: T, type: number): string =>
  type === 1 ? t('companies.legalType1') : type === 2 ? t('companies.legalType2') : t('legal.type3');
