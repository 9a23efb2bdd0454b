import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect } from 'react';
import { ApiError } from '@/api/errors';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { Section } from '@/shared/ui/Section';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { type SmsSender, saveSmsSender, smsSender } from '../api';
import { SENDER_LOOKS, type SenderProblem, type SenderState, senderProblem, senderState, stepsDone } from '../model';
import classes from '../pages/SmsConferencePage.module.css';

interface SenderFormProps {
  user: string;
  sender: SmsSender;
  onDirty: (dirty: boolean) => void;
}

/** The company's sender name, where its registration stands and what is to be done next. */
export function SenderForm({ user, sender, onDirty }: SenderFormProps) {
  const t = useT();
  const { field, values, errors, ref, submit, apply, saving, dirty } = useSenderForm(user, sender);
  useEffect(() => onDirty(dirty), [dirty]);
  const state = senderState(sender);
  const { tone, icon } = SENDER_LOOKS[state];
  const length = [...values.sms].length;
  return (
    <Section
      id="sms-sender"
      title={t('smstexts.sender')}
      text={t('smstexts.senderLead')}
      state={
        <Tag tone={tone} icon={icon}>
          {t(`smstexts.st_${state}`)}
        </Tag>
      }
    >
      <form ref={ref} onSubmit={submit} noValidate className={classes.form}>
        <TextInput
          label={t('smstexts.name')}
          autoComplete="off"
          spellCheck={false}
          maw={360}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          descriptionProps={{ component: 'div' }}
          description={
            <span className={classes.help}>
              <span>{t('smstexts.nameHelp')}</span>
              <output className="num" data-over={length > sender.max || undefined}>
                {t('smstexts.nameCounter', { n: length, max: sender.max })}
              </output>
            </span>
          }
          {...field('sms')}
          error={errors.sms}
        />
        <p>{t(`smstexts.now_${state}`)}</p>
        {state !== 'none' && <Facts sender={sender} />}
        {state !== 'registered' && <Steps state={state} />}
        <DialogButtons go={t('smstexts.senderSave')} busy={saving}>
          {(state === 'draft' || state === 'rejected') && (
            <Button variant="default" disabled={dirty || saving} onClick={() => void apply()}>
              {t('smstexts.apply')}
            </Button>
          )}
        </DialogButtons>
      </form>
    </Section>
  );
}

function Facts({ sender }: { sender: SmsSender }) {
  const t = useT();
  const language = useLanguage();
  return (
    <dl className={`${classes.facts} num`}>
      <dt>{t('smstexts.holder')}</dt>
      <dd>{sender.holderNif || t('smstexts.absent')}</dd>
      <dt>{t('smstexts.evidence')}</dt>
      <dd>{shortDate(sender.evidenceAt, language)}</dd>
      <dt>{t('smstexts.provider')}</dt>
      <dd>{sender.provider || t('smstexts.absent')}</dd>
    </dl>
  );
}

function Steps({ state }: { state: SenderState }) {
  const t = useT();
  const done = stepsDone(state);
  const steps = [t('smstexts.step1'), t('smstexts.step2'), t('smstexts.step3'), t('smstexts.step4')];
  return (
    <div className={classes.steps}>
      <h3>{t('smstexts.next')}</h3>
      <ol>
        {steps.map((step, place) => (
          <li key={step} data-done={place < done || undefined} aria-current={place === done ? 'step' : undefined}>
            <Icon name={place < done ? 'check' : place === done ? 'right' : 'minus'} size={16} />
            {step}
          </li>
        ))}
      </ol>
    </div>
  );
}

function problemText(t: T, problem: SenderProblem, max: number): string {
  return {
    long: t('smstexts.nameLong', { max }),
    short: t('smstexts.nameShort'),
    letter: t('smstexts.nameLetter'),
    spaces: t('smstexts.nameSpaces'),
    characters: t('smstexts.nameCharacters'),
  }[problem];
}

function useSenderForm(user: string, sender: SmsSender) {
  const t = useT();
  const queries = useQueryClient();
  const checked = useCheckedForm({
    initialValues: { sms: sender.sms },
    problems: ({ sms }) => {
      const problem = senderProblem(sms);
      return problem ? { sms: problemText(t, problem, sender.max) } : {};
    },
  });
  const { form } = checked;
  const dirty = form.values.sms !== sender.sms;
  const saving = useMutation({
    mutationFn: (requested: boolean) => saveSmsSender(user, form.values.sms, requested),
    onSuccess: (saved, requested) => {
      queries.setQueryData(smsSender(user).queryKey, saved);
      const done = requested ? t('smstexts.applied') : saved.sms ? t('smstexts.senderSaved') : t('smstexts.senderGone');
      toast.ok({ title: done });
    },
    onError: (error) => {
      const wrongFields = error instanceof ApiError && error.errors.length > 0;
      if (wrongFields && checked.refuse(error).length === 0) checked.focusFirstError();
      else toast.error({ title: t('smstexts.saveFailed'), text: errorText(t, error) });
    },
  });
  const save = async () => {
    // Giving up a name that is used is not done by mistake.
    const sure =
      !dirty ||
      senderState(sender) !== 'registered' ||
      (await confirm({
        title: t('smstexts.changeTitle'),
        text: t('smstexts.changeText', { name: sender.sms }),
        confirm: t('smstexts.change'),
      }));
    if (sure) saving.mutate(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (checked.check()) void save();
    else checked.focusFirstError();
  };
  const apply = async () => {
    const sure = await confirm({
      title: t('smstexts.applyTitle', { name: sender.sms }),
      text: t('smstexts.applyText'),
      confirm: t('smstexts.apply'),
    });
    if (sure) saving.mutate(true);
  };
  return { ...checked, submit, apply, dirty, saving: saving.isPending };
}
