import { lazy, Suspense, useEffect, useState } from 'react';
import { useShownPage } from '@/shared/lib/page';
import { closeNews, mayOpenByItself, OPENS_AFTER_MS, openNews, useNewsOpened } from '../news';

const NewsDialog = lazy(() => import('./NewsDialog').then((m) => ({ default: m.NewsDialog })));

/**
 * The news: open by themselves once, 2000 ms after the first visit to the shell, and whenever `openNews` is called.
 * A call under way is never covered; they wait until it is over.
 */
export function NewsModal() {
  const { immersive = false } = useShownPage();
  const opened = useNewsOpened();
  // Once drawn it stays, so that it can leave as it came.
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    if (immersive || !mayOpenByItself()) return;
    const timer = setTimeout(() => {
      // Another tab may have shown them meanwhile.
      if (mayOpenByItself()) openNews(false);
    }, OPENS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [immersive]);
  useEffect(() => {
    if (opened) setDrawn(true);
  }, [opened]);
  // They go with the shell, which a session's end takes away.
  useEffect(() => closeNews, []);
  if (!drawn && !opened) return null;
  return (
    <Suspense fallback={null}>
      <NewsDialog opened={opened && !immersive} onClose={closeNews} />
    </Suspense>
  );
}
