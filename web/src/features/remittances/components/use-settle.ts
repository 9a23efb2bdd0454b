import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { getRemittance, settleAttempt } from '../api';
import { didText } from '../model';
import type { Settlement } from '../types';

/** Notes how a debit ended; its remittance, its invoice and its mandate follow. The form says what went wrong. */
export function useSettle(remittance: string) {
  const t = useT();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, settlement }: { id: string; settlement: Settlement }) => settleAttempt(id, settlement),
    onSuccess: ({ action }) => toast.ok({ title: t('sepa.settled'), text: didText(t, action) }),
    onSettled: () => {
      void queries.invalidateQueries(getRemittance(remittance));
      for (const key of ['list_remittances', 'get_remittance_due', 'list_mandates', 'list_invoices', 'get_invoice'])
        void queries.invalidateQueries({ queryKey: [key] });
    },
  });
}
