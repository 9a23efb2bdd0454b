import { useT } from '@/shared/i18n';

export function RequestPage() {
  const t = useT();
  return <h1>{t('requests.title')}</h1>;
}
