import { localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ApiError } from '@/api/errors';
import { limits } from '@/api/generated/limits';
import { useT } from '@/shared/i18n';
import { styleNonce } from '@/shared/lib/style-nonce';
import toasts from '@/shared/ui/toast.module.css';
import { theme } from './theme';

/** Local storage key `theme`, default dark. */
const colorScheme = localStorageColorSchemeManager({ key: 'theme' });

/** For the sheets that components write at run time: read once, it is the same for as long as the document lives. */
const nonce = styleNonce() ?? '';
const getStyleNonce = () => nonce;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // A refusal is an answer; only what may heal by itself is asked again.
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});

interface ProvidersProps {
  children: ReactNode;
  /** `test` switches transitions off. */
  env?: 'default' | 'test';
}

export function Providers({ children, env = 'default' }: ProvidersProps) {
  const t = useT();
  const close = t('common.close');
  // A cross without a name is no button to a screen reader: every dialog and toast names it in the shown language.
  const named = useMemo(() => {
    const closeButtonProps = { 'aria-label': close };
    const component = { defaultProps: { closeButtonProps } };
    return mergeThemeOverrides(theme, {
      components: {
        Modal: component,
        Drawer: component,
        Notification: component,
        Alert: { defaultProps: { closeButtonLabel: close } },
      },
    });
  }, [close]);
  return (
    <MantineProvider
      env={env}
      theme={named}
      defaultColorScheme="dark"
      colorSchemeManager={colorScheme}
      getStyleNonce={getStyleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications
            className={toasts.place}
            position="bottom-right"
            transitionDuration={limits.toastFadeMs}
            containerWidth={380}
            limit={4}
          />
          {children}
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
