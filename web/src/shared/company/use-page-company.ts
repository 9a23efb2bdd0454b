import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Role, roleOf } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { getParent } from './api';

/** `0` in an address is everybody, or the platform's own. */
export const EVERYBODY = '0';

export interface PageCompany {
  /** What the server is asked for: a company's id, `0` for everybody. */
  id: string;
  admin: boolean;
  /** What a picker shows: the chosen company, nothing for everybody. */
  value: string | null;
  name: string | undefined;
  choose: (company: string | null) => void;
}

/**
 * The company that a page `/…/{parent}` is about. The administrator's own company is the platform, so for him its id
 * means everybody; he chooses another one, which changes the address.
 */
export function usePageCompany(href: (parent: string) => string): PageCompany {
  const { parent = '' } = useParams({ strict: false }) as { parent?: string };
  const navigate = useNavigate();
  const session = useRequiredSession();
  const admin = roleOf(session) === Role.administrator;
  const id = admin && parent === session.user.parent ? EVERYBODY : parent;
  const other = admin && id !== EVERYBODY;
  const found = useQuery({ ...getParent(id), enabled: other });
  return {
    id,
    admin,
    value: other ? id : null,
    name: found.data?.company ?? undefined,
    choose: (company) => void navigate({ href: href(company ?? EVERYBODY) }),
  };
}
