import { useMediaQuery } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useT } from '@/shared/i18n';
import { holdSilence, probeSound, startAlarm, startSilent, stopAlarm, useAlarm } from '@/shared/lib/sounds';
import { ownHref, pageOf } from '@/shared/routes/access';
import type { Session } from '@/shared/session';
import { toast } from '@/shared/ui/toast';
import type { MenuState } from './account-events';
import { AlarmRule } from './alarm-rule';
import { useAttention, useHiddenTab } from './attention';
import { type Arrival, answersRequests, useWaiting } from './waiting';

export interface Requests {
  /** Whether this person answers requests and is not blocked: then there are counter, alarm and sound. */
  on: boolean;
  /** How many wait; `undefined` while unknown. */
  waiting: number | undefined;
  /** Where they are answered. */
  href: string;
}

/** The mobile navbar at or below 1024 px, where "mobile-unblocked" unblocks. */
const NARROW = '(max-width: 1024px)';
const toastId = (id: string) => `request-${id}`;

/**
 * People who wait for this person: the number, the alarm, the toast and the call for attention of a tab that is not
 * looked at. `inCall`: the page is a call, which neither alarm nor link breaks
 * into.
 */
export function useRequests(person: Session | null, menu: MenuState, inCall: boolean): Requests {
  const t = useT();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const narrow = useMediaQuery(NARROW) ?? false;
  const hidden = useHiddenTab();
  const blocked = menu === 'blocked' || (menu === 'mobile-unblocked' && !narrow);
  const on = person !== null && answersRequests(person) && !blocked;
  const href = person ? ownHref('activeVideocallRequest', person.user) : '';
  const watching = pageOf(pathname) === 'activeVideocallRequest' && !hidden;

  const announce = ({ id, who, what }: Arrival) => {
    ring();
    // The page itself shows it.
    if (watching) return;
    toast.waiting({
      id: toastId(id),
      title: inCall ? t('shell.newRequestInCall') : t('shell.newRequest'),
      text: [who, what].filter(Boolean).join(' · '),
      action: inCall ? undefined : { label: t('shell.openRequests'), href, run: () => void navigate({ href }) },
    });
  };
  const waiting = useWaiting(on && person ? person.user.parent : null, {
    onArrival: announce,
    onLeft: (id) => toast.hide(toastId(id)),
  });
  const ring = useRing(person?.user._id ?? '', waiting, inCall);
  useEffect(() => {
    if (on) probeSound();
  }, [on]);
  const call = on && waiting && !watching ? t('shell.titleWaiting', { count: waiting }) : null;
  useAttention(call);
  return { on, waiting, href };
}

const MUTED_KEY = 'atalaya.alarmMuted';

/** The rule of this person in this tab, as it was before a reload. */
function useAlarmRule(userId: string): AlarmRule {
  const held = useRef<{ of: string; rule: AlarmRule } | null>(null);
  if (held.current?.of !== userId) {
    const [of, muted] = (window.sessionStorage.getItem(MUTED_KEY) ?? '').split(' ');
    held.current = { of: userId, rule: new AlarmRule(of === userId ? Number(muted) || 0 : 0) };
  }
  return held.current.rule;
}

/** Makes the alarm ring, fall silent and stop as the rule says. Answers what to do when somebody comes. */
function useRing(userId: string, waiting: number | undefined, inCall: boolean): () => void {
  const rule = useAlarmRule(userId);
  const alarm = useAlarm();
  const before = useRef(alarm);
  useEffect(() => {
    if (waiting === undefined) {
      // Not counted (yet): what was muted stays muted.
      stopAlarm();
      return;
    }
    // Only a person's click, here or in another tab, takes it from ringing to silent.
    if (before.current === 'ringing' && alarm === 'silent') rule.mute(waiting);
    before.current = alarm;
    const state = inCall ? 'off' : rule.state(waiting);
    if (state === 'ringing') startAlarm();
    else if (state === 'silent') startSilent();
    else stopAlarm();
    window.sessionStorage.setItem(MUTED_KEY, `${userId} ${rule.remembered()}`);
  }, [alarm, rule, waiting, inCall, userId]);
  useEffect(() => (inCall ? holdSilence() : undefined), [inCall]);
  useEffect(() => stopAlarm, []);
  return () => {
    rule.arrived();
    // At once: the number may be what it was, when somebody left in the same moment.
    if (!inCall) startAlarm();
  };
}
