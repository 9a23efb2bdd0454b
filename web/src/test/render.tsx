import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render } from '@testing-library/react';
import axe from 'axe-core';
import type { ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import { theme } from '@/app/theme';
import { i18n } from '@/shared/i18n';
import { session } from '@/shared/session';
import call from '../../../locales/es/call.json';
import common from '../../../locales/es/common.json';
import errors from '../../../locales/es/errors.json';
import media from '../../../locales/es/media.json';
import videocall from '../../../locales/es/videocall.json';

for (const [name, texts] of Object.entries({ call, common, errors, media, videocall })) {
  i18n.addResourceBundle('es', name, texts, true, true);
}

// Whole pages on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

afterEach(() => {
  cleanup();
  notifications.clean();
});

const part = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '');

/** A logged-in worker, as the guarded screens need one. */
export async function logIn(): Promise<void> {
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const claims = {
    sub: 'u1',
    jti: 'j',
    role: 3,
    parent: 'c1',
    exp,
    iat: exp - 3_600,
    typ: 'session',
    sk: 'aa'.repeat(16),
  };
  const user = {
    _id: 'u1',
    role: 3,
    status: 2,
    parent: 'c1',
    support: false,
    name: 'Nuria',
    surname: 'Ferrer',
    userName: 'n@x.es',
    email: null,
    phone: null,
    legal: true,
    has2fa: false,
    company: null,
    language: 'es' as const,
  };
  await session.save([part({ alg: 'HS256' }), part(claims), 'signature'].join('.'), user, []);
}

/** The window's size in px; media queries follow it. */
export function setViewport(width: number, height: number): void {
  (
    window as unknown as { happyDOM: { setViewport(size: { width: number; height: number }): void } }
  ).happyDOM.setViewport({ width, height });
}

/** Renders inside everything a page has around it; answers where the router is. */
export async function renderPage(page: ReactNode) {
  const root = createRootRoute();
  const routes = [createRoute({ getParentRoute: () => root, path: '$', component: () => page })];
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: ['/here'] }),
  });
  await router.load();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const view = render(
    <MantineProvider theme={theme} defaultColorScheme="dark" env="test">
      <QueryClientProvider client={queries}>
        <ModalsProvider>
          <Notifications />
          <RouterProvider router={router as never} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...view, router };
}

/** Serious and critical findings of axe; layout rules need a real browser and are checked there. */
export async function seriousFindings(): Promise<string[]> {
  const { violations } = await axe.run(document.body, {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

type Answer = { status?: number; body?: unknown };

/** Answers our own calls by path; whatever is not listed is a 404. Answers what was asked. */
export function answerCalls(answers: (method: string, path: string, body: unknown) => Answer | undefined) {
  const asked: Array<{ method: string; path: string; body: unknown }> = [];
  window.fetch = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const path = String(input);
    const method = init?.method ?? 'GET';
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body;
    asked.push({ method, path, body });
    const { status = 200, body: answer = {} } = answers(method, path, body) ?? {
      status: 404,
      body: { status: 404, code: 'NOT_FOUND', detail: 'nothing here' },
    };
    return new window.Response(status === 204 ? null : JSON.stringify(answer), {
      status,
      headers: { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' },
    });
  }) as typeof window.fetch;
  return asked;
}
