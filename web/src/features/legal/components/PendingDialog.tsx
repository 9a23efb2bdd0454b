import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@/api/errors';
import { errorText, useT } from '@/shared/i18n';
import { LEGAL_TEXTS } from '@/shared/terms/api';
import { ConsentButtons } from '@/shared/terms/ConsentButtons';
import { kindOf } from '@/shared/terms/kinds';
import classes from '@/shared/terms/LegalModal.module.css';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { toast } from '@/shared/ui/toast';
import { acceptPending, declinePending, LEGAL_PENDING, type Pending } from '../api';
import { PendingPrices, PendingText } from './PendingText';

interface PendingDialogProps {
  pending: Pending;
  opened: boolean;
  /** Put off: the cross, Escape, "Más tarde". */
  onLater: () => void;
  onAccepted: () => void;
  onDeclined: () => void;
}

const PRICES = 'prices';

/**
 * New terms or prices that the company has not accepted: what changed, the whole text, and the three ways to answer, of
 * which accepting and declining weigh the same.
 */
export function PendingDialog({ pending, opened, onLater, onAccepted, onDeclined }: PendingDialogProps) {
  const t = useT();
  const queries = useQueryClient();
  const [declining, setDeclining] = useState(false);
  const settle = () => {
    void queries.invalidateQueries({ queryKey: [LEGAL_PENDING] });
    void queries.invalidateQueries({ queryKey: ['get_company'] });
  };
  const accepting = useMutation({
    mutationFn: () => acceptPending(pending),
    onSuccess: () => {
      toast.ok({ title: t('legal.accepted') });
      settle();
      onAccepted();
    },
    onError: (error) => {
      // What was read is no longer what is in force: it has to be read again.
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
      void queries.invalidateQueries({ queryKey: [LEGAL_PENDING] });
      void queries.invalidateQueries({ queryKey: [LEGAL_TEXTS] });
    },
  });
  const refusing = useMutation({
    mutationFn: () => declinePending(pending),
    onSuccess: () => {
      toast.info({ title: t('legal.declined'), text: t('legal.declinedText') });
      settle();
      onDeclined();
    },
  });
  const failure = accepting.error ?? refusing.error;
  return (
    <Modal
      opened={opened}
      onClose={onLater}
      size={640}
      closeOnClickOutside={false}
      title={declining ? t('legal.declineTitle') : t('legal.pendingTitle')}
    >
      {declining ? (
        <div className={classes.consequences}>
          <p>{t('legal.declineText')}</p>
          <ul>
            <li>{t('legal.declineKeep')}</li>
            <li>{t('legal.declineEnd')}</li>
            <li>{t('legal.declineLater')}</li>
          </ul>
        </div>
      ) : (
        <Subjects pending={pending} />
      )}
      {failure && <Note tone="bad" icon="warn" title={t('legal.answerFailed')} text={errorText(t, failure)} />}
      {declining ? (
        <ConsentButtons
          decline={t('common.back')}
          accept={t('legal.declineConfirm')}
          onDecline={() => setDeclining(false)}
          onAccept={() => refusing.mutate()}
          accepting={refusing.isPending}
        />
      ) : (
        <ConsentButtons
          later={
            <Button variant="subtle" className={classes.later} onClick={onLater}>
              {t('legal.later')}
            </Button>
          }
          decline={t('companies.legalDecline')}
          accept={t('companies.legalAccept')}
          onDecline={() => {
            accepting.reset();
            setDeclining(true);
          }}
          onAccept={() => accepting.mutate()}
          accepting={accepting.isPending}
        />
      )}
    </Modal>
  );
}

/** One tab for each thing that is new. */
function Subjects({ pending: { pending, price } }: { pending: Pending }) {
  const t = useT();
  const tabs = pending.map(({ legalId, type, title }) => ({ value: legalId, label: kindOf(t, type) ?? title }));
  if (price) tabs.push({ value: PRICES, label: t('legal.prices') });
  const [shown, setShown] = useState(tabs[0]?.value ?? PRICES);
  const text = pending.find(({ legalId }) => legalId === shown) ?? (shown === PRICES && price ? null : pending[0]);
  return (
    <>
      <p className={classes.lead}>{t('legal.pendingLead')}</p>
      {tabs.length > 1 && (
        <Segmented label={t('legal.pendingTitle')} value={text?.legalId ?? PRICES} onChange={setShown} options={tabs} />
      )}
      {text ? <PendingText key={text.legalId} text={text} /> : price && <PendingPrices price={price} />}
    </>
  );
}
