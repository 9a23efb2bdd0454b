import { LoginPage as Page } from '@/features/auth/pages/LoginPage';
import { CookieLinks } from '@/features/cookies/components/CookieLinks';

/** `/login`, with the links that the law wants before anybody has an account. */
export const LoginPage = () => <Page CookieLinks={CookieLinks} />;
