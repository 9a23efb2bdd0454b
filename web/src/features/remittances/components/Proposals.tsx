import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { paths } from '@/shared/routes/paths';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { decidePayment, getBankFile } from '../api';
import { sumOf } from '../model';
import type { PaymentProposal } from '../types';
import classes from './remittances.module.css';

interface ProposalsProps {
  /** The bank file that they are read of. */
  file: string;
  proposals: PaymentProposal[];
}

/** Transfers that quote an invoice: a person confirms each as its payment, or says that it is of something else. */
export function Proposals({ file, proposals }: ProposalsProps) {
  const t = useT();
  const language = useLanguage();
  return (
    <section className={classes.group}>
      <h3>
        {t('sepa.proposalsCount', { count: proposals.length })}
        <span className="num">{euros(sumOf(proposals), language)}</span>
      </h3>
      <p className={classes.text}>{t('sepa.proposalsText')}</p>
      <ul className={classes.rows}>
        {proposals.map((proposal) => (
          <Proposal key={proposal._id} file={file} proposal={proposal} />
        ))}
      </ul>
    </section>
  );
}

function Proposal({ file, proposal }: { file: string; proposal: PaymentProposal }) {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: (accept: boolean) => decidePayment(proposal._id, accept),
    onSuccess: ({ proposal: { status } }) =>
      toast.ok({ title: t(`sepa.proposal_${status === 'accepted' ? status : 'dismissed'}`) }),
    onSettled: () => {
      void queries.invalidateQueries(getBankFile(file));
      for (const key of ['get_remittance_due', 'list_invoices', 'get_invoice'])
        void queries.invalidateQueries({ queryKey: [key] });
    },
  });
  const { status, invoice: number } = proposal;
  return (
    <li className={classes.debit}>
      <div className={classes.row}>
        <div className={classes.words}>
          <b className="num">{number}</b>
          <Link to={paths.companyProfile(proposal.customerId)}>{proposal.company}</Link>
          <span className={classes.quiet}>
            {[proposal.bookingDate && dayText(proposal.bookingDate, language), proposal.payer, proposal.text]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
        {status !== 'open' && (
          <Tag tone={status === 'accepted' ? 'ok' : 'quiet'}>
            {t(status === 'accepted' ? 'sepa.proposal_accepted' : 'sepa.proposal_dismissed')}
          </Tag>
        )}
        <b className={`${classes.sum} num`}>{euros(proposal.amount, language)}</b>
      </div>
      {status === 'open' && (
        <div className={classes.row}>
          <Button
            size="compact-sm"
            loading={decide.isPending && decide.variables}
            disabled={decide.isPending}
            aria-label={t('sepa.proposalAcceptOf', { number })}
            onClick={() => decide.mutate(true)}
          >
            {t('sepa.proposalAccept')}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            loading={decide.isPending && !decide.variables}
            disabled={decide.isPending}
            aria-label={t('sepa.proposalDismissOf', { number })}
            onClick={() => decide.mutate(false)}
          >
            {t('sepa.proposalDismiss')}
          </Button>
        </div>
      )}
      {decide.error && (
        <Note tone="bad" icon="warn" title={t('sepa.proposalFailed')} text={errorText(t, decide.error)} />
      )}
    </li>
  );
}
