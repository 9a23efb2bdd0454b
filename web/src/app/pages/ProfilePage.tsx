import { ConsentSwitch } from '@/features/marketing/components/ConsentSwitch';
import { ProfilePage as Page } from '@/features/users/pages/ProfilePage';

/** `/user/{parent}/{id}`: a person's data and, of one's own, whether advertising may come. */
export const ProfilePage = () => (
  <Page>
    <ConsentSwitch />
  </Page>
);
