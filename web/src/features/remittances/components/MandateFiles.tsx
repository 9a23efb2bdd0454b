import { Button } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { filesOf } from '../model';
import type { Mandate } from '../types';
import { type MandateFile, useMandate } from './use-mandate';

const ICONS: Record<MandateFile, IconName> = { pdf: 'doc', evidence: 'seal', paper: 'dl', form: 'dl' };

/** The documents of a mandate: its text, what was shown when it was signed, the signed paper, the form to be signed by hand. */
export function MandateFiles({ mandate, byHand }: { mandate: Mandate; byHand: boolean }) {
  const t = useT();
  const { file } = useMandate();
  const words: Record<MandateFile, string> = {
    pdf: t('sepa.seePdf'),
    evidence: t('sepa.seeEvidence'),
    paper: t('sepa.signedPaper'),
    form: t('sepa.paperForm'),
  };
  return filesOf(mandate, byHand).map((kind) => (
    <Button
      key={kind}
      variant="default"
      loading={file.isPending && file.variables.kind === kind}
      leftSection={<Icon name={ICONS[kind]} size={16} />}
      onClick={() => file.mutate({ mandate, kind })}
    >
      {words[kind]}
    </Button>
  ));
}
