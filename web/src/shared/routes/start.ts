import { hasCallLink } from '@/shared/lib/call-link';
import { homeHref, type Person } from './access';
import { paths } from './paths';

/** Where somebody who is logged in goes on: to the call that a link asked for, else to the role's home. */
export const startHref = (person: Person) => (hasCallLink() ? paths.callLink() : homeHref(person));
