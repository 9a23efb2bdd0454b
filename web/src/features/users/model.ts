import { invitable } from '@/api/generated/access';
import { limits } from '@/api/generated/limits';
import type { User } from '@/api/types';
import { isEmail } from '@/shared/checks/email';
import { checkPhone, splitPhone, toE164 } from '@/shared/checks/phone';
import { formatPhone } from '@/shared/lib/phone';
import { isPrincipal, mayOpen, type Person, Role, roleOf } from '@/shared/routes/access';
import type { ListedUser, UserChange } from './api';

/** The member's role next to a principal's, by the kind of company; `null` for the platform's. */
export function memberRole(companyType: number): number | null {
  const role = companyType + 1;
  return isPrincipal(companyType) ? role : null;
}

/** Whom this person may invite into a company of that kind. */
export function invitableInto(person: Person, companyType: number): number[] {
  // The platform's own people come as users, and an administrator gives them their role.
  if (companyType === 1 && roleOf(person) === Role.administrator) return [Role.worker];
  const role = memberRole(companyType);
  return role !== null && invitable[roleOf(person)]?.includes(role) ? [role] : [];
}

/** What somebody may set of an account besides name, addresses and language. The server decides it again. */
export interface Rights {
  roles: number[];
  statuses: number[];
  support: boolean;
}

const NONE: Rights = { roles: [], statuses: [], support: false };
const everyRole = Object.values(Role) as number[];
const everyStatus = [0, 1, 2, 3, 4, 5];

/**
 * The administrator gives every role and status, a principal inactive and
 * active to his members; nobody changes his own, and no principal another one's.
 */
export function rightsOver(person: Person, user: Pick<User, '_id' | 'role' | 'parent'>): Rights {
  if (person.user._id === user._id) return NONE;
  const role = roleOf(person);
  if (role === Role.administrator) return { roles: everyRole, statuses: everyStatus, support: true };
  const principal = isPrincipal(role) && mayOpen('users', person, { parent: user.parent });
  if (!principal || isPrincipal(user.role) || user.role === Role.administrator) return NONE;
  return { roles: [...(invitable[role] ?? [])], statuses: [1, 2], support: false };
}

/** Statuses of a filter: all for the administrator, inactive and active for others. */
export const filterStatuses = (person: Person) => (roleOf(person) === Role.administrator ? everyStatus : [1, 2]);

export interface UserValues extends Record<string, unknown> {
  name: string;
  surname: string;
  email: string;
  phone: string;
  phoneCountry: string;
  language: string;
  role: string;
  status: string;
  support: boolean;
}

export function userValues(user: User | ListedUser): UserValues {
  const { country, phone } = splitPhone(user.phone);
  return {
    name: user.name,
    surname: user.surname,
    email: user.email ?? '',
    phone,
    phoneCountry: country,
    language: user.language,
    role: String(user.role),
    status: String(user.status),
    support: user.support,
  };
}

/**
 * What is wrong with the values, by the server's codes; `user` because who came by phone needs no e-mail, and who has no
 * surname yet no surname.
 */
export function userProblems(
  values: UserValues,
  user: Pick<User, 'userName' | 'surname'>,
): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = {};
  for (const name of ['name', 'surname'] as const) {
    const optional = name === 'surname' && !user.surname;
    if (!values[name].trim() && !optional) found[name] = 'REQUIRED';
    else if (values[name].trim().length > limits.lineMax) found[name] = 'TOO_LONG';
  }
  const email = values.email.trim();
  if (!email && user.userName.includes('@')) found.email = 'REQUIRED';
  else if (email && (!isEmail(email) || email.length > limits.emailMax)) found.email = 'EMAIL_INVALID';
  const phone = checkPhone(values.phone, values.phoneCountry);
  const operator = values.role === String(Role.repairerOperator) || values.role === String(Role.workshopOperator);
  if (phone === 'absent' && operator) found.phone = 'PHONE_REQUIRED';
  else if (phone === 'long') found.phone = 'PHONE_TOO_LONG';
  else if (phone === 'wrong') found.phone = 'PHONE_INCORRECT';
  return found;
}

/** The body of `PUT user`: what this person may set, nothing else. */
export function userChange(user: Pick<User, '_id'>, values: UserValues, rights: Rights): UserChange {
  return {
    _id: user._id,
    name: values.name.trim(),
    surname: values.surname.trim(),
    email: values.email.trim() || null,
    phone: toE164(values.phone, values.phoneCountry),
    language: values.language,
    ...(rights.roles.length > 0 && { role: Number(values.role) }),
    ...(rights.statuses.length > 0 && { status: Number(values.status) }),
    ...(rights.support && { support: values.support }),
  };
}

/** `Ana Ruiz`, or the user name of somebody without one. */
export const fullName = (user: Pick<User, 'name' | 'surname' | 'userName'>) =>
  `${user.name} ${user.surname}`.trim() || user.userName;

/** A user name as people read it: an address as it is, a phone with its gaps. */
export const userNameText = (userName: string) => (userName.includes('@') ? userName : formatPhone(userName));
