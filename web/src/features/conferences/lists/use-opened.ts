import { useNavigate, useSearch } from '@tanstack/react-router';

/** Which conference's panel is open, kept in the URL (`?open={id}`): a link to it opens it, the way back closes it. */
export function useOpened() {
  const { open } = useSearch({ strict: false }) as { open?: unknown };
  const navigate = useNavigate();
  const show = (id: string | undefined, replace: boolean) => {
    const next = (before: Record<string, unknown>) => ({ ...before, open: id });
    // The routes do not declare their parameters, so the router's types know none.
    void navigate({ to: '.', search: next as never, replace });
  };
  return {
    opened: typeof open === 'string' && open !== '' ? open : null,
    open: (id: string) => show(id, false),
    close: () => show(undefined, true),
    /** The address of this list with that panel open. */
    href: (id: string) => {
      const { pathname, search } = window.location;
      const query = new URLSearchParams(search);
      query.set('open', id);
      return `${pathname}?${query}`;
    },
  };
}
