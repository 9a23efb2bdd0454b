import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { confirm } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { mandateState } from '../model';
import type { Mandate } from '../types';
import { MandateFacts } from './MandateFacts';
import { MandateFiles } from './MandateFiles';
import classes from './remittances.module.css';
import { SignedUpload } from './SignedUpload';
import { MandateTag } from './StateTag';
import { useMandate } from './use-mandate';

/** A mandate, and what the administration may do with it. */
export function MandateDrawer({ mandate, onClose }: { mandate: Mandate | null; onClose: () => void }) {
  const t = useT();
  return (
    <DetailDrawer
      of={mandate}
      onClose={onClose}
      size={560}
      title={t('sepa.mandate')}
      classNames={{ header: classes.drawerTop, body: classes.drawer }}
    >
      {(one) => <Panel mandate={one} />}
    </DetailDrawer>
  );
}

function Panel({ mandate }: { mandate: Mandate }) {
  const t = useT();
  const { cancel, resume, scheme } = useMandate();
  const state = mandateState(mandate);
  const over = state === 'cancelled' || state === 'expired';
  // A paper counts for more than the tick: it may still be brought after it.
  const byHand = !over && mandate.signature !== 'document';
  const other = mandate.scheme === 'CORE' ? 'B2B' : 'CORE';
  const askCancel = async () => {
    const sure = await confirm({
      title: t('sepa.cancelMandate'),
      text: t('sepa.cancelMandateText', { umr: mandate.umr }),
      confirm: t('sepa.cancelMandateGo'),
      danger: true,
    });
    if (sure) cancel.mutate(mandate._id);
  };
  const askScheme = async () => {
    const sure = await confirm({
      title: t('sepa.schemeTo', { scheme: other }),
      text: other === 'B2B' ? t('sepa.toB2bText') : t('sepa.toCoreText'),
      confirm: t('sepa.schemeGo'),
    });
    if (sure) scheme.mutate({ id: mandate._id, to: other });
  };
  return (
    <div className={classes.form}>
      <header className={classes.drawerHead}>
        <h2>
          <Link to={paths.companyProfile(mandate.customerId)}>{mandate.company}</Link>
        </h2>
        <MandateTag mandate={mandate} />
      </header>
      {state === 'unsigned' && <Note tone="warn" icon="pen" text={t('sepa.unsignedAdmin')} />}
      {state === 'suspended' && <Note tone="bad" icon="warn" text={t('sepa.suspendedAdmin')} />}
      <MandateFacts mandate={mandate} />
      <div className={classes.buttons}>
        <MandateFiles mandate={mandate} byHand={byHand} />
        {byHand && <SignedUpload mandate={mandate} />}
        {state === 'suspended' && (
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(mandate._id)}>
            {t('sepa.resume')}
          </Button>
        )}
        {!over && (
          <Button variant="default" loading={scheme.isPending} onClick={() => void askScheme()}>
            {t('sepa.schemeTo', { scheme: other })}
          </Button>
        )}
        {!over && (
          <Button variant="subtle" data-tone="bad" loading={cancel.isPending} onClick={() => void askCancel()}>
            {t('sepa.cancelMandateGo')}
          </Button>
        )}
      </div>
    </div>
  );
}
