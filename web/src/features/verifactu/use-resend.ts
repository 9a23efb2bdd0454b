import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { getVerifactu, resendRecord } from './api';
import type { Corrected } from './model';

/** Puts a new record of the same invoice in the queue. Its caller says what went wrong. */
export function useResend() {
  const t = useT();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, corrected }: { id: string; corrected?: Corrected }) => resendRecord(id, corrected),
    onSuccess: () => {
      toast.ok({ title: t('verifactu.resendDone') });
      void client.invalidateQueries({ queryKey: ['list_verifactu_records'] });
      void client.invalidateQueries({ queryKey: getVerifactu().queryKey });
    },
  });
}
