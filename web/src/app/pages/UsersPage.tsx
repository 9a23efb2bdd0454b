import { InvitationList, InviteDialog } from '@/features/invitations';
import { UsersPage as Page } from '@/features/users/pages/UsersPage';

const invitations = { List: InvitationList, Dialog: InviteDialog };

/** `/users/{parent}`: the people of a company and who was invited to join them. */
export const UsersPage = () => <Page invitations={invitations} />;
