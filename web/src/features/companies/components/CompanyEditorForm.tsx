import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CompanyFields } from '@/shared/company/CompanyFields';
import { type Company, kindOf, PLATFORM } from '@/shared/company/kinds';
import { errorText, useT } from '@/shared/i18n';
import { useUnsaved } from '@/shared/lib/use-unsaved';
import { LegalBlock } from '@/shared/terms/LegalBlock';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { saveCompany } from '../api';
import { acceptedNow, ownPieces } from '../model';
import { type CompanyEditor, useCompanyEditor, useTakeCompany } from '../use-company-editor';
import { AdminFields, InsurersField, PlatformFields } from './AdminFields';
import { BankField } from './BankField';
import { BuyerCodes } from './BuyerCodes';
import classes from './CompanyPage.module.css';
import { CompanySituation } from './CompanySituation';
import { SmsCeiling } from './SmsCeiling';

interface CompanyEditorFormProps {
  company: Company;
  admin: boolean;
  /** The caller's own company. */
  own: boolean;
  /** Ids of its insurers; `null` when it has none by its kind or they are not known. */
  assigned: string[] | null;
  /** What other features ask to be done, at the top. */
  notice?: ReactNode;
  /** What other features say of its account. */
  bank?: ReactNode;
  /** That new terms wait to be accepted. */
  pendingTerms?: ReactNode;
}

/** All of a company's data, each part for who may change it; saved together. */
export function CompanyEditorForm(props: CompanyEditorFormProps) {
  const { company, admin, own, assigned, notice, bank, pendingTerms } = props;
  const t = useT();
  const editor = useCompanyEditor(company, admin, assigned);
  const { form, extra, kind } = editor;
  const platform = kind === PLATFORM;
  useUnsaved(editor.dirty);
  return (
    <form
      ref={form.ref}
      className={classes.root}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        editor.submit();
      }}
    >
      <div className={classes.columns}>
        <div className={classes.fields}>
          <div className={classes.head}>
            <h1>{own ? t('companies.profile') : company.company}</h1>
            <p>{own ? company.company : t('companies.adminHelp')}</p>
            {platform && <p>{t('companies.platformHelp')}</p>}
          </div>
          {own && !platform && <Missing company={company} />}
          {notice}
          <CompanyFields state={form} iban={false} />
          <Section title={platform ? t('companies.bankOwn') : t('companies.bank')}>
            <BankField
              state={form}
              stored={company.bankAccount}
              bankName={company.bankName}
              help={platform ? t('companies.ibanHelpOwn') : t('companies.ibanHelp')}
            />
            {platform && admin && <PlatformFields extra={extra} />}
          </Section>
          {bank}
          {admin && !platform && (
            <Section title={t('companies.administration')}>
              <AdminFields extra={extra} />
              {assigned && (
                <InsurersField value={editor.insurers} onChange={editor.setInsurers} error={editor.insurersError} />
              )}
              <SmsCeiling company={company._id} />
              <BuyerCodes company={company._id} />
            </Section>
          )}
          {!admin && assigned && (
            <Section title={t('companies.insurers')}>
              <InsurersField value={assigned} />
            </Section>
          )}
          {!platform && !admin && (
            <Section title={t('companies.legalTitle')}>
              <Legal company={company} pendingTerms={pendingTerms} />
            </Section>
          )}
        </div>
        <CompanySituation company={company} admin={admin} />
      </div>
      <SaveBar editor={editor} />
    </form>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** What the company itself has to bring, said where it can be brought. */
function Missing({ company }: { company: Company }) {
  const t = useT();
  const pieces = ownPieces(company.missing);
  if (pieces.length === 0) return null;
  const text =
    pieces.length === 2
      ? t('companies.missingBoth')
      : pieces[0] === 'iban'
        ? t('companies.missingIban')
        : t('companies.missingLegal');
  return <Note tone="warn" icon="lock" title={t('companies.missingTitle')} text={text} />;
}

/** The terms: read and accepted here, at once, whatever else is typed; or when they were. */
function Legal({ company, pendingTerms }: { company: Company; pendingTerms: ReactNode }) {
  const t = useT();
  const take = useTakeCompany();
  const acceptedAt = company.legalHistory.find((entry) => entry.id === company.legalId)?.accepted_at;
  const accepting = useMutation({
    mutationFn: (legalId: string) =>
      saveCompany(kindOf(company.companyType), { _id: company._id, legal: true, legalId }),
    onSuccess: (fresh) => {
      take(fresh);
      toast.ok({ title: t('companies.termsAccepted') });
    },
    onError: (error) => toast.error({ title: t('companies.termsFailed'), text: errorText(t, error) }),
  });
  const holds = acceptedNow(company.legalHistory);
  const accepted = company.legal && (acceptedAt ?? true);
  // Customers alone are billed; who has not accepted yet reads what is in force.
  const priceId = (accepted && holds.priceId) || '0';
  return (
    <>
      {accepted && pendingTerms}
      <LegalBlock
        accepted={accepted}
        legalIds={accepted && holds.ids.length > 0 ? holds.ids : undefined}
        priceId={company.companyType === '2' ? priceId : undefined}
        onAccept={(legalId) => accepting.mutate(legalId)}
        onDecline={() => toast.info({ title: t('companies.legalError') })}
      />
    </>
  );
}

/** Sticks to the bottom while something is typed, so that it is neither lost nor saved unseen. */
function SaveBar({ editor }: { editor: CompanyEditor }) {
  const t = useT();
  const { dirty, wrong, failure, saving } = editor;
  const state = wrong > 0 ? t('companies.fix', { count: wrong }) : dirty ? t('companies.unsaved') : '';
  return (
    <div className={classes.bar} data-foot data-dirty={dirty || undefined}>
      {failure && <Note tone="bad" icon="warn" title={t('companies.saveFailed')} text={failure} />}
      <div className={classes.barLine}>
        <output className={classes.barState} data-wrong={wrong > 0 || undefined}>
          {state}
        </output>
        <DialogButtons
          onCancel={editor.discard}
          cancel={t('companies.discard')}
          go={t('common.save')}
          busy={saving}
          unchanged={!dirty}
        />
      </div>
    </div>
  );
}
