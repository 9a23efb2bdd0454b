import { Button, CloseButton, Paper } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useT } from '@/shared/i18n';
import { useShownPage } from '@/shared/lib/page';
import { useRequiredSession } from '@/shared/session';
import { socketEvents, useSocketEvent } from '@/shared/socket';
import { Icon } from '@/shared/ui/Icon';
import { isPostponed, type Moment, postpone } from '../offer';
import { deviceState } from '../push';
import { Advice } from './Advice';
import classes from './push.module.css';
import { useDevice } from './use-device';

/**
 * Offers notices on this device after a moment at which they would have helped, never at a page's load: something
 * arrived while the tab was away, or a request was answered. Nothing over a call.
 */
export function PushOffer() {
  const { user } = useRequiredSession();
  const { immersive } = useShownPage();
  const [moment, setMoment] = useState<Moment | null>(null);
  const away = (why: Moment) => document.visibilityState === 'hidden' && setMoment((held) => held ?? why);
  useSocketEvent(socketEvents.videocallIn(user.parent), () => away('away'));
  useSocketEvent(socketEvents.personalNotification(user._id), () => away('notice'));
  useSocketEvent(socketEvents.generalNotification, () => away('notice'));
  useSocketEvent(socketEvents.videocallOut(user.parent), (payload) => {
    if ((payload as { reason?: string } | null)?.reason === 'accepted') setMoment((held) => held ?? 'answered');
  });
  if (!moment || immersive) return null;
  return <Offer key={moment} moment={moment} onClose={() => setMoment(null)} />;
}

interface OfferProps {
  moment: Moment;
  onClose: () => void;
}

function Offer({ moment, onClose }: OfferProps) {
  const t = useT();
  const { user } = useRequiredSession();
  const { state, on } = useDevice();
  const [asked, setAsked] = useState(false);
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    let gone = false;
    const worthwhile = async () => {
      const { support, permission, subscription } = await deviceState(user._id);
      const possible = support === 'ios-install' || (support === 'ok' && permission !== 'denied' && !subscription);
      return possible && !(await isPostponed(user._id, Date.now()));
    };
    void worthwhile().then((yes) => {
      if (!gone) yes ? setWanted(true) : onClose();
    });
    return () => {
      gone = true;
    };
  }, [user._id]);
  if (!wanted || !state) return null;
  const later = () => {
    void postpone(user._id, Date.now());
    onClose();
  };
  const words = { away: t('push.offerAway'), answered: t('push.offerAnswered'), notice: t('push.offerNotice') };
  const stuck = state.support === 'ios-install' || (asked && state.permission === 'denied');
  return (
    <Paper component="section" className={classes.offer} aria-label={t('push.title')}>
      <Icon name="bell" />
      <div className={classes.offerWords} aria-live="polite">
        <b>{t('push.offerTitle')}</b>
        <p>{words[moment]}</p>
        {stuck ? <Advice {...state} /> : state.permission === 'default' && <p>{t('push.prompt')}</p>}
        <div className={classes.offerButtons}>
          {stuck ? (
            <Button variant="default" onClick={later}>
              {t('push.gotIt')}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={later}>
                {t('push.later')}
              </Button>
              <Button
                loading={on.isPending}
                onClick={() => {
                  setAsked(true);
                  on.mutate(undefined, { onSuccess: onClose });
                }}
              >
                {t('push.turnOn')}
              </Button>
            </>
          )}
        </div>
      </div>
      <CloseButton aria-label={t('common.close')} onClick={later} />
    </Paper>
  );
}
