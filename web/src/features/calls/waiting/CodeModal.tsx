import { Button, Loader, Modal } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { clock } from '@/shared/lib/time';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import type { WaitingActions } from './use-waiting-actions';
import classes from './WayOutModals.module.css';

interface CodeModalProps {
  opened: boolean;
  onClose: () => void;
  actions: WaitingActions;
  link: string;
}

interface Code {
  code: string;
  expiresAt: string;
}

/** Twelve digits to read out over the phone, typed at `/codigo`. Asked for when the dialog opens. */
export function CodeModal({ opened, onClose, actions, link }: CodeModalProps) {
  const t = useT();
  const [code, setCode] = useState<Code | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [now, setNow] = useState(Date.now);
  const { dictate } = actions;
  const dictateRef = useRef(dictate);
  dictateRef.current = dictate;

  const ask = useCallback(async () => {
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
    if (!opened) return;
    void ask();
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [opened, ask]);

  const left = code ? Date.parse(code.expiresAt) - now : 0;
  const address = `${new URL(link).host}/codigo`;
  return (
    <Modal opened={opened} onClose={onClose} title={t('videocall.w_codeTitle')} size={440}>
      <div className={classes.center}>
        <p className={classes.context}>{t('videocall.w_codeText', { address })}</p>
        {error !== null && (
          <Note tone="bad" icon="warn" title={t('videocall.w_codeError')} text={errorText(t, error)} />
        )}
        {!code && error === null && <Loader size="sm" aria-label={t('common.loading')} />}
        {code && (
          <>
            <output className={`${classes.code} num`} data-over={left <= 0 || undefined}>
              {spaced(code.code)}
            </output>
            <span className={`${classes.left} num`}>
              {left > 0 ? t('videocall.w_codeLeft', { time: clock(left) }) : t('videocall.w_codeExpired')}
            </span>
          </>
        )}
        <DialogButtons go={t('common.close')} onGo={onClose}>
          <Button variant="default" onClick={() => void ask()}>
            {error === null ? t('videocall.w_codeNew') : t('common.retry')}
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}

/** "482913554120" as it is read out: "482 913 554 120". */
const spaced = (code: string) => code.replace(/(\d{3})(?=\d)/g, '$1 ');
