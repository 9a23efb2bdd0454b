import { useQueryClient } from '@tanstack/react-query';
import { CompanyPage } from '@/features/companies/pages/CompanyPage';
import { PendingNote } from '@/features/legal/components/PendingNote';
import { EncryptIban } from '@/features/remittances/components/EncryptIban';
import { MandateNotice } from '@/features/remittances/components/MandateNotice';
import { MandateSection } from '@/features/remittances/components/MandateSection';
import { Role, roleOf } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';

/** Only customers are invoiced. */
const isBilled = ({ companyType }: { companyType: string | number }) => Number(companyType) === Role.customer;

/** `/customer/{parent}/perfil`: a company's data and, of customers, what their account is charged by. */
export function CompanyProfilePage() {
  const queries = useQueryClient();
  const admin = roleOf(useRequiredSession()) === Role.administrator;
  return (
    <CompanyPage
      pendingTerms={<PendingNote />}
      notice={(company, own) => isBilled(company) && <MandateNotice company={company} own={own} />}
      bank={(company, own) =>
        isBilled(company) && (
          <>
            {admin && (
              <EncryptIban
                company={company}
                onEncrypted={() => void queries.invalidateQueries({ queryKey: ['get_company', company._id] })}
              />
            )}
            <MandateSection company={company} own={own} />
          </>
        )
      }
    />
  );
}
