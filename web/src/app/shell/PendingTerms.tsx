import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { legalPending } from '@/features/legal/api';
import { forgetPutOff, isNothing, isPutOff, putOff } from '@/features/legal/terms';
import { mayOpenByItself, useNewsOpened } from '@/features/news/news';
import { useShownPage } from '@/shared/lib/page';
import { isPrincipal, roleOf } from '@/shared/routes/access';
import { session, useRequiredSession } from '@/shared/session';
import { refreshAccount } from '@/shared/session/refresh-account';

const PendingDialog = lazy(() =>
  import('@/features/legal/components/PendingDialog').then((m) => ({ default: m.PendingDialog })),
);

/**
 * After the log-in of a company's principal: terms or prices that came into force since it accepted some. A company
 * that never accepted any meets the banner and its own page instead. Never over a call, never together with the news.
 */
export function PendingTerms() {
  const person = useRequiredSession();
  const { immersive = false } = useShownPage();
  const newsOpened = useNewsOpened();
  const { user } = person;
  const accepted = user.company?.missing?.includes('legal') === false;
  const asks = isPrincipal(roleOf(person)) && accepted;
  const { data } = useQuery({ ...legalPending, queryKey: [...legalPending.queryKey, user._id], enabled: asks });
  // For a browser whose storage is closed to us.
  const [answered, setAnswered] = useState('');
  // What was put off is asked again at the next log-in.
  useEffect(
    () => () => {
      if (!session.peek()) forgetPutOff();
    },
    [],
  );
  if (!asks || !data || isNothing(data)) return null;
  const name = [...data.pending.map(({ legalId }) => legalId), data.price?._id].join();
  const waits = data.declinedAt || isPutOff(user._id, data) || newsOpened || mayOpenByItself();
  const close = () => {
    putOff(user._id, data);
    setAnswered(name);
  };
  return (
    <Suspense fallback={null}>
      <PendingDialog
        key={name}
        pending={data}
        opened={!waits && answered !== name && !immersive}
        onLater={close}
        onDeclined={close}
        onAccepted={() => {
          close();
          void refreshAccount();
        }}
      />
    </Suspense>
  );
}
