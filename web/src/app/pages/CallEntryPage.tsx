import { lazy, Suspense } from 'react';
import { NotAllowed } from '@/features/home/components/NotAllowed';
import { Role, roleOf } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { PagePending } from '@/shared/ui/PagePending';

const NewVideocallPage = lazy(() =>
  import('@/features/conferences/pages/NewVideocallPage').then((m) => ({ default: m.NewVideocallPage })),
);
const PasswordOperatorPage = lazy(() =>
  import('@/features/password-operator/pages/PasswordOperatorPage').then((m) => ({ default: m.PasswordOperatorPage })),
);

/**
 * `/vp-form`: the form of a new video call, the not-allowed alert while the company may not call, and
 * for the password operator his own screen.
 */
export function CallEntryPage() {
  const person = useRequiredSession();
  return <Suspense fallback={<PagePending />}>{screenOf(person)}</Suspense>;
}

function screenOf(person: ReturnType<typeof useRequiredSession>) {
  if (roleOf(person) === Role.passwordOperator) return <PasswordOperatorPage />;
  return person.user.company?.mayCall === false ? <NotAllowed /> : <NewVideocallPage />;
}
