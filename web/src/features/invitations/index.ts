export { InvitationList } from './components/InvitationList';
export { InviteDialog } from './components/InviteDialog';
export { roleText } from './model';
