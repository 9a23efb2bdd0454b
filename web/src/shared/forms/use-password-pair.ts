import { useEffect, useState } from 'react';
import { type T, useT } from '@/shared/i18n';
import { guessable, LENGTH_MAX, LENGTH_MIN, LEVEL_MIN, type Level, loadMeter } from './strength';

type Field = 'password' | 'repeat';

export interface PasswordPairState {
  password: string;
  repeat: string;
  /** `null` before something is typed, and while the estimator is on its way. */
  level: Level | null;
  errors: Partial<Record<Field, string>>;
  type: (field: Field, value: string) => void;
  leave: (field: Field) => void;
  /** Fetches the estimator before it is needed. */
  prepare: () => void;
  /** Looks at both fields and shows what is wrong. True when nothing is: any message blocks. */
  check: () => Promise<boolean>;
  /** The server's no to this password. */
  refuse: (text?: string) => void;
  clear: () => void;
}

/** An estimate takes a moment; it is made when the typing pauses. */
const PAUSE_MS = 120;

/** How long a person who presses the button waits for the estimator to arrive. */
const PATIENCE_MS = 3000;

/** How strong a password is; `null` when the estimator cannot be had in time: then the server alone decides. */
async function levelOf(password: string, inputs: string[], patienceMs?: number): Promise<Level | null> {
  const late = new Promise<null>((done) => {
    if (patienceMs) setTimeout(() => done(null), patienceMs);
  });
  try {
    const meter = await Promise.race([loadMeter(), late]);
    return meter?.(password, inputs) ?? null;
  } catch {
    return null;
  }
}

function passwordProblem(t: T, password: string, level: Level | null): string | undefined {
  if (!password) return t('common.write_password');
  const length = [...password].length;
  if (length > LENGTH_MAX) return t('recovery.tooLong', { max: LENGTH_MAX });
  if (length < LENGTH_MIN || (level !== null && level < LEVEL_MIN)) return t('recovery.onlyStrong');
  return undefined;
}

function repeatProblem(t: T, password: string, repeat: string): string | undefined {
  if (!repeat) return t('common.write_repeat');
  return repeat === password ? undefined : t('recovery.mismatch');
}

/**
 * State of `PasswordPair`. `about` are the other values of the form (name, address, company): what is easy to guess.
 */
export function usePasswordPair(about: (string | null | undefined)[] = []): PasswordPairState {
  const t = useT();
  const [values, setValues] = useState({ password: '', repeat: '' });
  const [left, setLeft] = useState<Record<Field, boolean>>({ password: false, repeat: false });
  const [level, setLevel] = useState<Level | null>(null);
  const [refused, setRefused] = useState<{ password: string; text: string } | null>(null);
  const inputs = guessable(about);
  const known = inputs.join('\n');

  const { password, repeat } = values;
  useEffect(() => {
    if (!password) {
      setLevel(null);
      return;
    }
    let current = true;
    const pause = setTimeout(async () => {
      const found = await levelOf(password, known.split('\n'));
      if (current) setLevel(found);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(pause);
    };
  }, [password, known]);

  const errors: PasswordPairState['errors'] = {};
  if (left.password) errors.password = passwordProblem(t, password, level);
  if (refused && refused.password === password) errors.password ??= refused.text;
  if (left.repeat) errors.repeat = repeatProblem(t, password, repeat);

  return {
    password,
    repeat,
    level,
    errors,
    type: (field, value) => {
      setValues((now) => ({ ...now, [field]: value }));
      // The message goes while one types and comes back on leaving the field; a mismatch is looked at again there too.
      setLeft((now) => ({ ...now, [field]: false }));
    },
    leave: (field) => setLeft((now) => ({ ...now, [field]: values[field] !== '' })),
    prepare: () => void loadMeter().catch(() => {}),
    check: async () => {
      setLeft({ password: true, repeat: true });
      const found = password ? await levelOf(password, inputs, PATIENCE_MS) : null;
      setLevel(found);
      return (
        !passwordProblem(t, password, found) && !repeatProblem(t, password, repeat) && refused?.password !== password
      );
    },
    refuse: (text) => setRefused({ password, text: text || t('recovery.onlyStrong') }),
    clear: () => {
      setValues({ password: '', repeat: '' });
      setLeft({ password: false, repeat: false });
      setRefused(null);
    },
  };
}
