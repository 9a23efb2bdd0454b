import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useT } from '@/shared/i18n';
import { Note } from '@/shared/ui/Note';
import { mandatesOf } from '../api';
import { currentMandate, isAnothers, mandateState } from '../model';
import { MANDATE_SECTION } from './MandateSection';

interface MandateNoticeProps {
  company: { _id: string; bankAccount: string | null };
  own: boolean;
}

/** That the mandate lacks something, said where one looks first; its section stands far below. */
export function MandateNotice({ company, own }: MandateNoticeProps) {
  const t = useT();
  const { data } = useQuery({ ...mandatesOf(company._id, company.bankAccount), enabled: company.bankAccount !== null });
  if (!data || !company.bankAccount) return null;
  const current = currentMandate(data);
  const state = current && mandateState(current);
  if (state === 'active') return null;
  const texts = {
    unsigned: own ? t('sepa.unsignedShort') : t('sepa.unsignedAdmin'),
    suspended:
      current && isAnothers(current)
        ? t('sepa.otherTaxpayer')
        : own
          ? t('sepa.suspendedOwn')
          : t('sepa.suspendedAdmin'),
  };
  const show = () => document.getElementById(MANDATE_SECTION)?.scrollIntoView({ block: 'start' });
  return (
    <Note
      tone={state === 'suspended' ? 'bad' : 'warn'}
      icon="pen"
      title={t('sepa.mandate')}
      text={state === 'unsigned' || state === 'suspended' ? texts[state] : t('sepa.noMandate')}
      action={
        <Button variant="default" size="xs" onClick={show}>
          {t('sepa.goToMandate')}
        </Button>
      }
    />
  );
}
