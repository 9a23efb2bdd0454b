import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * Which row's panel is open, kept in the URL (`?open={id}`, or the name that links to it use): a link to it opens it, the
 * way back closes it.
 */
export function useOpened(name = 'open') {
  const { [name]: open } = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const show = (id: string | undefined, replace: boolean) => {
    const next = (before: Record<string, unknown>) => ({ ...before, [name]: id });
    // The routes do not declare their parameters, so the router's types know none.
    void navigate({ to: '.', search: next as never, replace });
  };
  return {
    opened: typeof open === 'string' && open !== '' ? open : null,
    open: (id: string) => show(id, false),
    /** Another row's panel in place of the open one: the way back still closes it. */
    replace: (id: string) => show(id, true),
    close: () => show(undefined, true),
    /** The address of this list with that panel open. */
    href: (id: string) => {
      const { pathname, search } = window.location;
      const query = new URLSearchParams(search);
      query.set(name, id);
      return `${pathname}?${query}`;
    },
  };
}
