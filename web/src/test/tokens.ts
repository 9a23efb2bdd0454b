import type { User } from '@/api/types';
import type { Claims } from '@/shared/session/claims';

const part = (value: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

/** A token with these claims; the signature is not looked at in the browser. */
export function tokenWith(claims: Partial<Claims>): string {
  const all = { sub: 'u1', jti: 'j1', role: 2, parent: 'c1', exp: 0, sk: 'key-material', ...claims };
  return `${part({ alg: 'HS256' })}.${part(all)}.signature`;
}

export const nuria: User = {
  _id: 'u1',
  role: 2,
  status: 2,
  parent: 'c1',
  support: false,
  name: 'Nuria',
  surname: 'Ferrer Ñíguez',
  userName: 'nuria@example.es',
  email: 'nuria@example.es',
  phone: null,
  legal: true,
  has2fa: false,
  company: { _id: 'c1', company: 'Peritaciones Levante, S.L.', companyType: '2' },
  language: 'es',
};
