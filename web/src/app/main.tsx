import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './tokens.css';
import './app.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ConsentBanner } from '@/features/cookies/components/ConsentBanner';
import { keepInstallOffer } from '@/features/push/install';
import { firstLanguage, followProfile, LanguageError, showLanguage } from '@/shared/i18n';
import { LITERALS } from '@/shared/i18n/literals';
import { catchCallLink } from '@/shared/lib/call-link';
import { giveStyleNonce } from '@/shared/lib/style-nonce';
import { admitHarmless } from '@/shared/lib/trusted';
import { paths } from '@/shared/routes/paths';
import { renewal, session } from '@/shared/session';
import { BootError } from './BootError';
import { Providers, queryClient } from './providers';
import { router } from './routes';

admitHarmless();
giveStyleNonce();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');
const root = createRoot(container);

/** Texts and session first, then the router: its guards read the session, its pages the texts. */
async function boot(): Promise<void> {
  try {
    const current = await session.load();
    await showLanguage(firstLanguage(current?.user.language));
  } catch (error) {
    const text = error instanceof LanguageError ? error.message : LITERALS.missing;
    root.render(<BootError text={text} onRetry={() => void boot()} />);
    return;
  }
  session.watch(window);
  renewal.start();
  let account = session.peek()?.user._id;
  session.subscribe((current, reason) => {
    const changed = account !== undefined && account !== current?.user._id;
    account = current?.user._id;
    // What was loaded for one account is not for the next one.
    if (changed) queryClient.clear();
    void followProfile(current?.user.language);
    if (current && !changed) return;
    // Removed in another tab goes to /login, every other end to the root; another account starts at its home.
    void router.navigate({ href: reason === 'other-tab' ? paths.login() : paths.root(), replace: true });
  });
  root.render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
        <ConsentBanner />
      </Providers>
    </StrictMode>,
  );
}

catchCallLink(window);
keepInstallOffer(window);
void boot();
