import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen } from '@testing-library/react';
import { vi } from 'vitest';
import { Providers, queryClient } from '@/app/providers';

// Whole pages on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
}
type Answer = (body: Record<string, unknown>) => Response | Promise<Response>;

export const problem = (status: number, code: string, errors: object[] = []) =>
  Response.json({ code, errors }, { status });

/** A fake server: answers by path (the last part is enough), and the calls it got. */
export function fakeServer() {
  const calls: Call[] = [];
  const answers: Record<string, Answer> = {};
  window.fetch = vi.fn(async (input, init) => {
    const path = String(input);
    const form = init?.body instanceof FormData;
    const body = form ? Object.fromEntries(init.body as FormData) : init?.body ? JSON.parse(String(init.body)) : {};
    if (!path.startsWith('/api/')) return Response.json([]);
    calls.push({ method: init?.method ?? 'GET', path, body });
    const name = Object.keys(answers).find((end) => path.replace('/api/v1/', '').startsWith(end));
    return (await (name ? answers[name] : undefined)?.(body)) ?? problem(404, 'NOT_FOUND');
  });
  const to = (name: string) => calls.filter(({ path }) => path.startsWith(`/api/v1/${name}`));
  return { calls, answers, to };
}

/** Shows a page at its address; answers where one is. */
export function showPage(Page: RouteComponent, pattern: string, href: string) {
  queryClient.clear();
  const root = createRootRoute({ component: Outlet });
  const other = (path: string) => createRoute({ getParentRoute: () => root, path, component: () => <p>at {path}</p> });
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: pattern, component: Page }),
      ...['/', '/login', '/customers', '/remember'].filter((path) => path !== pattern).map(other),
    ]),
    history: createMemoryHistory({ initialEntries: [href] }),
  });
  render(
    <Providers env="test">
      <RouterProvider router={router as never} />
    </Providers>,
  );
  return { where: () => router.state.location.pathname };
}

export const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

export const LEGAL = {
  legal: [
    {
      _id: 'general-1',
      type: 1,
      title: 'Condiciones generales',
      version: 1,
      language: 'es',
      html: '<h2>Objeto</h2><p onclick="x()">Texto <b>general</b>.</p><script>alert(1)</script>',
      inForceFrom: '2026-11-05T00:00:00Z',
    },
    {
      _id: 'particular-1',
      type: 2,
      title: 'Condiciones particulares',
      version: 1,
      language: 'es',
      html: '<p>Texto particular.</p>',
      inForceFrom: '2026-11-05T00:00:00Z',
    },
  ],
};
