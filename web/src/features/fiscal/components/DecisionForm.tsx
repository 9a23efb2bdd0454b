import { Button, Select, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '@/api/generated/limits';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { decideRequest } from '../api';
import { type FiscalRequest, REGIMES, type Regime } from '../types';
import { useFiscalRefresh } from '../use-fiscal-change';
import classes from './fiscal.module.css';

/** Approves, or refuses with a reason that the company reads. */
export function DecisionForm({ request }: { request: FiscalRequest }) {
  const t = useT();
  const refresh = useFiscalRefresh();
  const [refusing, setRefusing] = useState(false);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [regime, setRegime] = useState<Regime>(request.regimeAfter);
  const deciding = useMutation({
    mutationFn: (approve: boolean) =>
      decideRequest(request._id, {
        approve,
        reason: approve ? '' : reason.trim(),
        ...(approve && regime !== request.regimeAfter ? { regime } : {}),
      }),
    onSuccess: ({ status, company }) => {
      refresh(request.customerId);
      toast.ok({ title: t(status === 'approved' ? 'fiscal.approved' : 'fiscal.refused'), text: company });
    },
  });
  const refuse = () => {
    setMissing(!reason.trim());
    if (reason.trim()) deciding.mutate(false);
  };
  const failure = deciding.error && (
    <Note tone="bad" icon="warn" title={t('fiscal.failed')} text={errorText(t, deciding.error)} />
  );
  if (refusing) {
    return (
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          refuse();
        }}
      >
        <Textarea
          label={t('fiscal.refuseReason')}
          description={t('fiscal.refuseHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autosize
          minRows={3}
          autoFocus
          maxLength={limits.fiscalReasonMax}
          value={reason}
          error={missing && t('errors.required')}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setMissing(false);
          }}
        />
        {failure}
        <DialogButtons onCancel={() => setRefusing(false)} go={t('fiscal.refuse')} danger busy={deciding.isPending} />
      </form>
    );
  }
  return (
    <div className={classes.form}>
      <Select
        label={t('fiscal.regime')}
        description={t('fiscal.regimeHelp')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        allowDeselect={false}
        value={regime}
        data={REGIMES.map((value) => ({ value, label: t(`fiscal.regime_${value}`) }))}
        onChange={(value) => value && setRegime(value as Regime)}
      />
      {!request.document && <Note tone="warn" icon="clock" text={t('fiscal.documentAwaited')} />}
      {failure}
      <div className={classes.buttons}>
        <Button variant="default" disabled={deciding.isPending} onClick={() => setRefusing(true)}>
          {t('fiscal.refuse')}
        </Button>
        <Button
          leftSection={<Icon name="check" size={16} />}
          loading={deciding.isPending}
          disabled={!request.document}
          onClick={() => deciding.mutate(true)}
        >
          {t('fiscal.approve')}
        </Button>
      </div>
    </div>
  );
}
