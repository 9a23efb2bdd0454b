import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useT } from '@/shared/i18n';
import { session } from '@/shared/session';
import { refreshAccount } from '@/shared/session/refresh-account';
import { toast } from '@/shared/ui/toast';
import { askFiscalChange, changeFiscalIdentity } from './api';
import type { FiscalField, Regime } from './types';

/** Reads again what shows fiscal data, everywhere. */
export function useFiscalRefresh() {
  const queries = useQueryClient();
  return (company: string) => {
    for (const queryKey of [
      ['get_fiscal_identity', company],
      ['list_fiscal_requests'],
      ['get_fiscal_request'],
      ['get_company', company],
      ['list_companies'],
      ['list_mandates'],
    ]) {
      void queries.invalidateQueries({ queryKey });
    }
    // Terms that wait anew close what one's own company may do.
    if (session.peek()?.user.parent === company) void refreshAccount();
  };
}

interface Change {
  fields: Partial<Record<FiscalField, string>>;
  /** Of an administrator's change that moves the company. */
  country?: string;
  since: string;
  /** The reason, or the note. */
  words: string;
  /** Of an administrator's change. */
  regime: Regime;
  file: File | null;
}

/** Asks for a change, or writes it at once when an administrator does. */
export function useFiscalChange(company: string, admin: boolean) {
  const t = useT();
  const refresh = useFiscalRefresh();
  return useMutation({
    mutationFn: async ({ fields, country, since, words, regime, file }: Change): Promise<void> => {
      if (admin) {
        await changeFiscalIdentity(company, { ...fields, ...(country && { country }), since, reason: words, regime });
      } else if (file) {
        await askFiscalChange(company, { fields, since, note: words, file });
      }
    },
    onSuccess: () => {
      refresh(company);
      toast.ok(admin ? { title: t('fiscal.applied') } : { title: t('fiscal.sent'), text: t('fiscal.sentText') });
    },
  });
}
