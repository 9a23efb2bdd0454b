import type { ComponentType, ReactNode } from 'react';

export interface InvitationListProps {
  title: string;
  /** Role of the accounts to be made. */
  type: number;
  /** Only this company's, for an administrator. */
  company?: string;
  /** Tabs, and the button that opens the dialog: the same as on the list beside it. */
  above?: ReactNode;
  action?: ReactNode;
  onInvite: () => void;
}

export interface InviteDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Roles that may be invited here; with several, one is chosen. */
  types: number[];
  /** The company of the new account, when an administrator invites a member of one. */
  customerId?: string;
}

/** How pages of companies and of people show who was invited; `app` brings the components. */
export interface Invitations {
  List: ComponentType<InvitationListProps>;
  Dialog: ComponentType<InviteDialogProps>;
}
