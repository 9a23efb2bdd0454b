import { useEffect, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { clock } from '@/shared/lib/time';
import { Note } from '@/shared/ui/Note';
import type { LoginFailure } from '../use-login';

/** Why the log-in failed and what to do; counts down while the account is locked. */
export function LoginFailureNote({ failure, onUnlocked }: { failure: LoginFailure; onUnlocked: () => void }) {
  const t = useT();
  switch (failure.kind) {
    case 'wrong':
      return <Note tone="bad" icon="warn" title={t('login.wrong')} text={t('login.wrongHint')} />;
    case 'inactive':
      return <Note tone="warn" icon="lock" title={t('login.inactiveTitle')} text={t('login.inactive')} />;
    case 'code-wrong':
      return <Note tone="bad" icon="warn" title={t('login.mfaInvalid')} text={t('login.mfaAgain')} />;
    case 'code-late':
      return <Note tone="warn" icon="clock" title={t('login.mfaLateTitle')} text={t('login.mfaAgain')} />;
    case 'passkey-wrong':
      return <Note tone="bad" icon="key" title={t('login.passkeyWrong')} text={t('login.passkeyWrongHint')} />;
    case 'passkey-dismissed':
      return <Note icon="key" title={t('login.passkeyDismissed')} text={t('login.passkeyDismissedHint')} />;
    case 'locked':
      return <Locked until={failure.until} onUnlocked={onUnlocked} />;
    case 'other':
      return <Note tone="bad" icon="warn" title={t('common.unexpected')} text={errorText(t, failure.error)} />;
  }
}

function Locked({ until, onUnlocked }: { until: number; onUnlocked: () => void }) {
  const t = useT();
  const [left, setLeft] = useState(() => until - Date.now());
  useEffect(() => {
    const tick = () => {
      setLeft(until - Date.now());
      if (Date.now() >= until) onUnlocked();
    };
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [until, onUnlocked]);
  // Announced once with the note; the seconds that follow are only for the eye.
  const time = (
    <span role="timer" aria-live="off" className="num">
      {t('login.locked', { time: clock(Math.max(0, left)) })}
    </span>
  );
  return <Note tone="warn" icon="clock" title={t('login.lockedTitle')} text={time} />;
}
