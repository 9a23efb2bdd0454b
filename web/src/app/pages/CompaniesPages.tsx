import { CompaniesPage } from '@/features/companies/pages/CompaniesPage';
import { InvitationList, InviteDialog } from '@/features/invitations';
import type { Kind } from '@/shared/company/kinds';

const invitations = { List: InvitationList, Dialog: InviteDialog };
const page = (kind: Kind) => () => <CompaniesPage key={kind} kind={kind} invitations={invitations} />;

export const CustomersPage = page(2);
export const RepairersPage = page(4);
export const WorkshopsPage = page(6);
