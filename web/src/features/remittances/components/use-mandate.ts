import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText, useT } from '@/shared/i18n';
import { download } from '@/shared/lib/download';
import { openFile } from '@/shared/lib/open-file';
import { toast } from '@/shared/ui/toast';
import {
  acceptMandate,
  cancelMandate,
  changeScheme,
  makeMandate,
  mandateFiles,
  resumeMandate,
  uploadSigned,
} from '../api';
import type { Mandate, Scheme, SignedPaper } from '../types';

export type MandateFile = 'pdf' | 'form' | 'paper' | 'evidence';

/** What may be done with a mandate; every list of them follows. */
export function useMandate() {
  const t = useT();
  const queries = useQueryClient();
  const settled = () => {
    for (const key of ['list_mandates', 'get_remittance_due']) void queries.invalidateQueries({ queryKey: [key] });
  };
  const failed = (error: Error) => toast.error({ title: t('sepa.failed'), text: errorText(t, error) });
  const done = (title: string) => (mandate: Mandate) => toast.ok({ title, text: mandate.umr });

  const make = useMutation({ mutationFn: makeMandate, onSettled: settled, onError: failed });
  // The dialogs of these two say what went wrong.
  const accept = useMutation({ mutationFn: acceptMandate, onSettled: settled, onSuccess: done(t('sepa.signedDone')) });
  const upload = useMutation({
    mutationFn: ({ id, paper }: { id: string; paper: SignedPaper }) => uploadSigned(id, paper),
    onSettled: settled,
    onSuccess: done(t('sepa.uploadedDone')),
  });
  const cancel = useMutation({
    mutationFn: cancelMandate,
    onSettled: settled,
    onSuccess: done(t('sepa.mandateCancelled')),
    onError: failed,
  });
  const resume = useMutation({
    mutationFn: resumeMandate,
    onSettled: settled,
    onSuccess: done(t('sepa.resumed')),
    onError: failed,
  });
  const scheme = useMutation({
    mutationFn: ({ id, to }: { id: string; to: Scheme }) => changeScheme(id, to),
    onSettled: settled,
    onSuccess: done(t('sepa.schemeChanged')),
    onError: failed,
  });
  const file = useMutation({
    mutationFn: ({ mandate: { _id, umr }, kind }: { mandate: Mandate; kind: MandateFile }) => {
      if (kind === 'form') return download(mandateFiles.pdf(_id), { paper: 'true' }, `${umr}.pdf`);
      if (kind === 'paper') return download(mandateFiles.paper(_id), {}, `${umr}.pdf`);
      return openFile(mandateFiles[kind](_id), `${umr}.pdf`);
    },
    onError: failed,
  });
  return { make, accept, upload, cancel, resume, scheme, file };
}
