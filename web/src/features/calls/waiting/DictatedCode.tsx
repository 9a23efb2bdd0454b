import { Loader } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { clock } from '@/shared/lib/time';
import { Note } from '@/shared/ui/Note';
import type { WaitingActions } from './use-waiting-actions';
import classes from './WayOutModals.module.css';

interface Code {
  code: string;
  expiresAt: string;
}

/** A code asked for when `wanted`; `again` replaces it by a fresh one. */
export function useDictatedCode({ dictate }: WaitingActions, wanted: boolean) {
  const [code, setCode] = useState<Code | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [now, setNow] = useState(Date.now);
  const dictateRef = useRef(dictate);
  dictateRef.current = dictate;

  const again = useCallback(async () => {
    setCode(null);
    setError(null);
    try {
      setCode(await dictateRef.current());
      setNow(Date.now());
    } catch (failure) {
      setError(failure);
    }
  }, []);

  useEffect(() => {
    if (!wanted) return;
    void again();
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [wanted, again]);

  return { code, error, again, left: code ? Date.parse(code.expiresAt) - now : 0 };
}

/** Twelve digits to read out, how long they live, or why there are none. */
export function DictatedCode({ code, error, left }: ReturnType<typeof useDictatedCode>) {
  const t = useT();
  if (error !== null)
    return <Note tone="bad" icon="warn" title={t('videocall.w_codeError')} text={errorText(t, error)} />;
  if (!code) return <Loader size="sm" aria-label={t('common.loading')} />;
  return (
    <>
      <output className={`${classes.code} num`} data-over={left <= 0 || undefined}>
        {spaced(code.code)}
      </output>
      <span className={`${classes.left} num`}>
        {left > 0 ? t('videocall.w_codeLeft', { time: clock(left) }) : t('videocall.w_codeExpired')}
      </span>
    </>
  );
}

/** "482913554120" as it is read out: "482 913 554 120". */
const spaced = (code: string) => code.replace(/(\d{3})(?=\d)/g, '$1 ');
