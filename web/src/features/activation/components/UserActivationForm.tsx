import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '@/api/errors';
import { PasswordPair, usePasswordPair } from '@/shared/forms/PasswordPair';
import { PhoneField } from '@/shared/forms/PhoneField';
import { type CheckedForm, useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { isDeadLink } from '@/shared/lib/activation-links';
import { formatPhone } from '@/shared/lib/phone';
import { paths } from '@/shared/routes/paths';
import { LegalBlock } from '@/shared/terms/LegalBlock';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { FormPart } from '@/shared/ui/PublicFrame';
import { toast } from '@/shared/ui/toast';
import { createUser, type Invitation, type NewUser } from '../api';
import { enterWith } from '../enter';
import { isEmailAddress, needsPhone } from '../model';
import { toUser, type UserValues, userErrors, userValues } from '../user-form';
import classes from './forms.module.css';

interface UserActivationFormProps {
  token: string;
  invitation: Invitation & { customer: string };
  onDead: (error: unknown) => void;
}

export function UserActivationForm({ token, invitation, onDead }: UserActivationFormProps) {
  const t = useT();
  const language = useLanguage() as NewUser['language'];
  const navigate = useNavigate();
  const { role, emailOPhone, customer } = invitation;
  const state = useCheckedForm<UserValues>({
    initialValues: userValues(emailOPhone),
    problems: (values) => userErrors(t, role, values),
  });
  const { values } = state;
  const pair = usePasswordPair([emailOPhone, values.name, values.surname, values.phone]);
  const [legal, setLegal] = useState(false);
  const [legalError, setLegalError] = useState<string>();

  const creating = useMutation({
    mutationFn: () =>
      createUser(customer, { ...toUser(values, emailOPhone), password: pair.password, legal: true, language }, token),
    onSuccess: async (created) => {
      await enterWith(created);
      toast.ok({ title: t('activation.userCreated') });
      void navigate({ href: paths.root(), replace: true });
    },
    onError: (error) => {
      if (isDeadLink(error)) return onDead(error);
      const homeless = state.refuse(error).filter((wrong) => {
        if (wrong.field.endsWith('password')) pair.refuse(wrong.message);
        else if (wrong.field.endsWith('legal')) setLegalError(wrong.message);
        else return true;
        return false;
      });
      if (error instanceof ApiError && error.errors.length > homeless.length) return state.focusFirstError();
      // Nothing beside a field: what there is to read stands above the form.
      setTimeout(() => state.ref.current?.scrollIntoView({ block: 'start' }));
    },
  });

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (creating.isPending) return;
    // All at once: nobody should have to find out one after the other.
    const fields = state.check();
    const password = await pair.check();
    setLegalError(legal ? undefined : t('activation.legalRequired'));
    if (!fields || !password || !legal) return state.focusFirstError();
    const sure = await confirm({
      title: t('activation.confirmTitle'),
      text: t('activation.confirmUser'),
      confirm: t('activation.confirm'),
    });
    if (sure) creating.mutate();
  };

  const failure = creating.error;
  return (
    <form ref={state.ref} onSubmit={(event) => void onSubmit(event)} noValidate>
      {failure && <Note tone="bad" icon="warn" title={t('activation.userNotCreated')} text={errorText(t, failure)} />}
      <FormPart title={t('activation.accountSection')}>
        <Who state={state} role={role} emailOPhone={emailOPhone} />
      </FormPart>
      <FormPart title={t('activation.passwordSection')}>
        <PasswordPair state={pair} wide />
      </FormPart>
      <FormPart title={t('companies.legalTitle')}>
        <LegalBlock
          accepted={legal}
          error={legalError}
          onAccept={() => {
            setLegal(true);
            setLegalError(undefined);
          }}
          onDecline={() => {
            setLegal(false);
            setLegalError(t('activation.legalRequired'));
          }}
        />
      </FormPart>
      <div className={classes.foot}>
        {failure instanceof ApiError && failure.errors.length > 0 && (
          <span className={classes.wrong}>{t('activation.fix', { count: failure.errors.length })}</span>
        )}
        <Button type="submit" size="md" loading={creating.isPending}>
          {t('activation.create')}
        </Button>
      </div>
    </form>
  );
}

function Who({ state, role, emailOPhone }: { state: CheckedForm<UserValues>; role: number; emailOPhone: string }) {
  const t = useT();
  const byEmail = isEmailAddress(emailOPhone);
  const { error, onBlur } = state.field('phone');
  const label = t('activation.phone');
  return (
    <div className={classes.grid}>
      <TextInput label={t('activation.name')} autoComplete="given-name" {...state.field('name')} />
      <TextInput label={t('activation.surname')} autoComplete="family-name" {...state.field('surname')} />
      <TextInput
        label={byEmail ? t('activation.email') : t('activation.phone')}
        name="username"
        autoComplete="username"
        classNames={{ input: byEmail ? '' : 'num' }}
        readOnly
        value={byEmail ? emailOPhone : formatPhone(emailOPhone)}
        leftSection={<Icon name="lock" size={16} />}
        description={byEmail ? t('activation.emailFixed') : t('activation.phoneFixed')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      {byEmail && (
        <PhoneField
          label={
            needsPhone(role) ? (
              label
            ) : (
              <>
                {label} <span className={classes.optional}>{t('common.optional')}</span>
              </>
            )
          }
          country={state.values.phoneCountry}
          onCountry={(phoneCountry) => {
            state.set({ phoneCountry });
            state.form.clearFieldError('phone');
          }}
          phone={state.values.phone}
          onPhone={(phone) => state.form.setFieldValue('phone', phone)}
          onBlur={onBlur}
          error={error}
        />
      )}
    </div>
  );
}
