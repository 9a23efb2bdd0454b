import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { useT } from '@/shared/i18n';
import { type CompanyValues, companyErrors } from './company-form';

/** State of `CompanyFields`: `useCompanyForm(companyValues(company))`. */
export function useCompanyForm(initialValues: CompanyValues) {
  const t = useT();
  return useCheckedForm<CompanyValues>({ initialValues, problems: (values) => companyErrors(t, values) });
}
