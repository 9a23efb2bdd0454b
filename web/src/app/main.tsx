import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './tokens.css';
import './app.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LanguageError, loadLanguage, storedLanguage } from '@/shared/i18n';
import { LITERALS } from '@/shared/i18n/literals';
import { renewal, session } from '@/shared/session';
import { BootError } from './BootError';
import { paths } from './paths';
import { Providers } from './providers';
import { router } from './routes';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');
const root = createRoot(container);

/** Texts and session first, then the router: its guards read the session, its pages the texts. */
async function boot(): Promise<void> {
  try {
    await Promise.all([loadLanguage(storedLanguage()), session.load()]);
  } catch (error) {
    const text = error instanceof LanguageError ? error.message : LITERALS.missing;
    root.render(<BootError text={text} onRetry={() => void boot()} />);
    return;
  }
  session.watch(window);
  renewal.start();
  session.subscribe((current, reason) => {
    if (current) return;
    // SPEC §4: removed in another tab goes to /login, every other end to the root.
    void router.navigate({ href: reason === 'other-tab' ? paths.login() : paths.root(), replace: true });
  });
  root.render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
}

void boot();
