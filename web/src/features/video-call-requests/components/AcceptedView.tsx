import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { isDone, markDone } from '../done';
import { roomHref, type VideoCallRequest } from '../model';
import { CaseFacts } from './CaseFacts';
import classes from './Outcome.module.css';

/** Long enough to read who answers, short enough that nobody waits for it, in seconds. */
const READ_S = 3;

/** Leads to the room; once, whichever tab is first. */
export function enterRoom(request: VideoCallRequest, go: (href: string) => void): void {
  const href = roomHref(request.url, window.location.origin);
  if (!href) return;
  markDone(request);
  go(href);
}

const leave = (href: string) => window.location.assign(href);

/**
 * Somebody answered: a big button, and the way by itself after three seconds, in the same window because popups may be
 * blocked. A page in the background waits until it is looked at: a camera opens only before a person's eyes.
 */
export function AcceptedView({ request, go = leave }: { request: VideoCallRequest; go?: (href: string) => void }) {
  const t = useT();
  const [seconds, setSeconds] = useState(READ_S);
  const [paused, setPaused] = useState(false);
  const name = request.acceptedBy?.name;
  useEffect(() => {
    if (paused) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setSeconds((left) => Math.max(0, left - 1));
    }, 1_000);
    return () => clearInterval(timer);
  }, [paused]);
  useEffect(() => {
    if (seconds === 0 && !paused && !isDone(request)) enterRoom(request, go);
  }, [seconds, paused, request, go]);
  return (
    <section className={classes.root}>
      <span className={classes.badge} data-tone="ok" aria-hidden="true">
        <Icon name="video" size={28} />
      </span>
      <div role="alert">
        <h1>{name ? t('videocallrequests.acceptedTitle', { name }) : t('videocallrequests.acceptedTitleNobody')}</h1>
        <p>{paused ? t('videocallrequests.acceptedPaused') : t('videocallrequests.acceptedText')}</p>
      </div>
      <div className={classes.ways} data-big>
        <Button size="lg" data-autofocus leftSection={<Icon name="video" />} onClick={() => enterRoom(request, go)}>
          {t('videocallrequests.enter')}
        </Button>
        {!paused && (
          <Button variant="subtle" color="gray" size="md" onClick={() => setPaused(true)}>
            {t('videocallrequests.enterLater')}
          </Button>
        )}
      </div>
      <p className={`${classes.counting} num`} aria-hidden="true">
        {!paused && t('videocallrequests.entering', { seconds })}
      </p>
      <CaseFacts request={request} />
    </section>
  );
}
