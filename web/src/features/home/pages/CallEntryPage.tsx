import { lazy, Suspense } from 'react';
import { Role, roleOf } from '@/app/access';
import { PagePending } from '@/app/PagePending';
import { useRequiredSession } from '@/shared/session';
import { NotAllowed } from '../components/NotAllowed';

const NewVideocallPage = lazy(() =>
  import('@/features/conferences/pages/NewVideocallPage').then((m) => ({ default: m.NewVideocallPage })),
);
const PasswordOperatorPage = lazy(() =>
  import('@/features/password-operator/pages/PasswordOperatorPage').then((m) => ({ default: m.PasswordOperatorPage })),
);

/**
 * `/vp-form`: the form of a new video call, the not-allowed alert while the company may not call (SPEC §6 Video-call
 * guard, §8), and for the password operator his own screen (DESIGN §3).
 */
export function CallEntryPage() {
  const person = useRequiredSession();
  return <Suspense fallback={<PagePending />}>{screenOf(person)}</Suspense>;
}

function screenOf(person: ReturnType<typeof useRequiredSession>) {
  if (roleOf(person) === Role.passwordOperator) return <PasswordOperatorPage />;
  return person.user.company?.mayCall === false ? <NotAllowed /> : <NewVideocallPage />;
}
