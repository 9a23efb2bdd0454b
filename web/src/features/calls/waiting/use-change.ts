import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';

/** Sends a change of the appointment; says when it was not taken. */
export function useChange() {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      toast.error({ title: t('videocall.w_visitFailed'), text: errorText(t, error) });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy };
}
