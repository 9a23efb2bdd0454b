import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { announceLater } from '@/shared/company/activation-notice';
import { CompanyFields } from '@/shared/company/CompanyFields';
import { companyValues, toCompany } from '@/shared/company/company-form';
import { useCompanyForm } from '@/shared/company/use-company-form';
import { PasswordPair, usePasswordPair } from '@/shared/forms/PasswordPair';
import { codeText, errorText, useLanguage, useT } from '@/shared/i18n';
import { isDeadLink } from '@/shared/lib/activation-links';
import { formatPhone } from '@/shared/lib/phone';
import { paths } from '@/shared/routes/paths';
import { LEGAL_TEXTS } from '@/shared/terms/api';
import { LegalBlock } from '@/shared/terms/LegalBlock';
import { confirm } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { FormPart } from '@/shared/ui/PublicFrame';
import { toast } from '@/shared/ui/toast';
import { createCompany, type Invitation, type NewCompany } from '../api';
import { enterWith } from '../enter';
import { type CompanyKind, isEmailAddress } from '../model';
import classes from './forms.module.css';

interface CompanyActivationFormProps {
  token: string;
  kind: CompanyKind;
  invitation: Invitation;
  onDead: (error: unknown) => void;
}

/** A new company: its data, the first password and the terms, created together. */
export function CompanyActivationForm({ token, kind, invitation, onDead }: CompanyActivationFormProps) {
  const t = useT();
  const code = useLanguage() as NewCompany['language'];
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { emailOPhone } = invitation;
  const byEmail = isEmailAddress(emailOPhone);
  const state = useCompanyForm(companyValues(byEmail ? { email: emailOPhone } : { mobile: emailOPhone }));
  const { values } = state;
  const pair = usePasswordPair([emailOPhone, values.email, values.name, values.company, values.city, values.mobile]);
  const [legalId, setLegalId] = useState<string | null>(null);
  const [legalError, setLegalError] = useState<string>();
  const [told, setTold] = useState<string>();
  const notCreated = t(`activation.notCreated${kind.role}`);

  /** What was not created is said, and why. */
  const say = (text: string) => {
    setTold(text);
    setTimeout(() => state.ref.current?.scrollIntoView({ block: 'start' }));
  };

  const refuseTerms = (text = t('companies.legalError')) => {
    setLegalId(null);
    setLegalError(text);
  };

  const creating = useMutation({
    mutationFn: () =>
      createCompany(
        kind,
        { ...toCompany(values), bankAccount: null, legal: true, legalId, password: pair.password, language: code },
        token,
      ),
    onSuccess: async (created) => {
      announceLater(values.email.trim());
      await enterWith(created);
      toast.ok({ title: t(`activation.created${kind.role}`), text: t('activation.createdText') });
      void navigate({ href: paths.root(), replace: true });
    },
    onError: (error) => {
      if (isDeadLink(error)) return onDead(error);
      for (const wrong of state.refuse(error)) {
        if (wrong.field.endsWith('password')) pair.refuse(wrong.message);
        if (!/legal(Id)?$/.test(wrong.field)) continue;
        refuseTerms(wrong.message || codeText(t, wrong.code) || undefined);
        // What was read is no longer in force: emptied, not only stale, so that nobody accepts the old one again.
        void queries.resetQueries({ queryKey: [LEGAL_TEXTS] });
      }
      say(errorText(t, error));
      state.focusFirstError();
    },
  });

  const create = async () => {
    setTold(undefined);
    const fields = state.check();
    const password = await pair.check();
    // With invalid inputs nothing more is reported.
    if (!fields || !password) return state.focusFirstError();
    const sure = await confirm({
      title: t('activation.confirmTitle'),
      text: t(`activation.confirmText${kind.role}`),
      confirm: t('activation.confirm'),
    });
    if (sure) creating.mutate();
    else say(t('activation.cancelled'));
  };

  return (
    // Enter does not submit: the only way is the button.
    <form ref={state.ref} onSubmit={(event) => event.preventDefault()} noValidate>
      {(told || !byEmail) && (
        <div className={classes.notes}>
          {told && <Note tone="bad" icon="warn" title={notCreated} text={told} />}
          {!byEmail && <Note icon="phone" text={t('activation.phoneInvited', { phone: formatPhone(emailOPhone) })} />}
        </div>
      )}
      <FormPart title={t('activation.companySection')}>
        <CompanyFields state={state} emailReadOnly={byEmail} mobileReadOnly={!byEmail} iban={false} />
      </FormPart>
      <FormPart title={t('activation.passwordSection')}>
        <PasswordPair state={pair} wide />
      </FormPart>
      <FormPart title={t('companies.legalTitle')}>
        <LegalBlock
          accepted={legalId !== null}
          priceId={kind.role === 2 ? '0' : undefined}
          error={legalError}
          onAccept={(id) => {
            setLegalId(id);
            setLegalError(undefined);
            setTold(undefined);
          }}
          onDecline={() => {
            refuseTerms();
            say(t('companies.legalError'));
          }}
        />
      </FormPart>
      <div className={classes.foot}>
        {legalId ? (
          <Button type="button" size="md" loading={creating.isPending} onClick={() => void create()}>
            {t('activation.create')}
          </Button>
        ) : (
          <Button
            type="button"
            size="md"
            variant="default"
            onClick={() => {
              refuseTerms();
              say(t('companies.legalError'));
            }}
          >
            {t('common.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
