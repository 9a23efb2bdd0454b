import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { getCompany } from '@/shared/company/api';
import { type CompanyValues, companyValues } from '@/shared/company/company-form';
import { insurersOf } from '@/shared/company/insurers';
import { type Company, kindOf } from '@/shared/company/kinds';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { codeText, errorText, useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { session } from '@/shared/session';
import { refreshAccount } from '@/shared/session/refresh-account';
import { toast } from '@/shared/ui/toast';
import { saveCompany } from './api';
import { changeOf, type ExtraValues, editErrors, extraErrors, extraValues, rebased } from './edit-form';

/** Puts a fresh company where the page reads it, and the account that belongs to it. */
export function useTakeCompany() {
  const queries = useQueryClient();
  return (company: Company) => {
    queries.setQueryData(getCompany(kindOf(company.companyType), company._id).queryKey, company);
    void queries.invalidateQueries({ queryKey: ['list_companies'] });
    // Banner, menu and guard of one's own company follow its data.
    if (session.peek()?.user.parent === company._id) void refreshAccount();
  };
}

/** State, rules and saving of a company's page. `assigned`: ids of its insurers, `null` where they are not changed. */
export function useCompanyEditor(company: Company, admin: boolean, assigned: string[] | null) {
  const t = useT();
  const take = useTakeCompany();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const kind = kindOf(company.companyType);
  const [insurers, setInsurers] = useState<string[] | null>(null);
  const [insurersError, setInsurersError] = useState<string>();
  const form = useCheckedForm<CompanyValues>({
    initialValues: companyValues(company),
    problems: (values) => editErrors(t, company, values),
  });
  const extra = useCheckedForm<ExtraValues>({
    initialValues: extraValues(company),
    problems: (values) => extraErrors(t, values),
    rename: { pay_startAt: 'payStart' },
  });
  const [failure, setFailure] = useState<string | null>(null);

  // An activation or accepted terms change the company under the form: status and start that nobody touched follow, or
  // saving would write the old ones back.
  const base = useRef(company);
  useEffect(() => {
    const before = base.current;
    if (before === company) return;
    base.current = company;
    form.set(rebased(form.values, companyValues(before), companyValues(company)));
    extra.set(rebased(extra.values, extraValues(before), extraValues(company)));
  });

  const change = changeOf(company, form.values, admin ? extra.values : null);
  const sorted = (ids: string[]) => [...ids].sort().join();
  const reassigned = insurers !== null && assigned !== null && sorted(insurers) !== sorted(assigned);

  const show = (fresh: Company) => {
    form.set(companyValues(fresh));
    extra.set(extraValues(fresh));
    form.form.clearErrors();
    extra.form.clearErrors();
    setInsurers(null);
    setInsurersError(undefined);
    setFailure(null);
  };

  const saving = useMutation({
    // One call: data and insurers change together or not at all.
    mutationFn: () =>
      saveCompany(kind, { _id: company._id, ...change, ...(reassigned && insurers ? { insurers } : {}) }),
    onSuccess: (saved) => {
      if (reassigned && insurers) {
        queries.setQueryData(insurersOf(company._id).queryKey, insurers);
        void queries.invalidateQueries({ queryKey: ['list_insurance_companies'] });
      }
      take(saved);
      show(saved);
      // What invoices say is asked for, not written: the answer names the request that waits now.
      if (saved.fiscalRequest && saved.fiscalRequest !== company.fiscalRequest) {
        const href = paths.fiscalIdentity(saved._id);
        toast.info({
          title: t('fiscal.pending'),
          text: t('fiscal.needsDocumentText'),
          action: { label: t('fiscal.attach'), href, run: () => void navigate({ to: href }) },
        });
      } else toast.ok({ title: t('companies.saved'), text: saved.company });
    },
    onError: (error) => {
      // A field belongs to one of the two forms; what neither knows is said above the button.
      const unknown = extra.refuse(error);
      const homeless = form.refuse(error).filter((wrong) => {
        if (!/(^|\.)(insurers|insuranceCompanies)$/.test(wrong.field)) return unknown.includes(wrong);
        setInsurersError(wrong.message || codeText(t, wrong.code) || t('errors.invalid'));
        return false;
      });
      const unplaced = !(error instanceof ApiError) || error.errors.length === 0 || homeless.length > 0;
      setFailure(unplaced ? errorText(t, error) : null);
      form.focusFirstError();
    },
  });

  const submit = () => {
    setFailure(null);
    setInsurersError(undefined);
    const right = [form.check(), !admin || extra.check()].every(Boolean);
    if (right) saving.mutate();
    else form.focusFirstError();
  };

  return {
    kind,
    form,
    extra,
    insurers: insurers ?? assigned ?? [],
    setInsurers: (ids: string[]) => {
      setInsurers(ids);
      setInsurersError(undefined);
    },
    insurersError,
    dirty: change !== null || reassigned,
    wrong: Object.keys({ ...form.errors, ...(admin ? extra.errors : {}) }).length + (insurersError ? 1 : 0),
    failure,
    saving: saving.isPending,
    submit,
    discard: () => show(company),
  };
}

export type CompanyEditor = ReturnType<typeof useCompanyEditor>;
