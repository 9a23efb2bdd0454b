import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { timeOfDay } from '@/shared/lib/format';
import { IconAction } from '@/shared/ui/IconAction';
import type { Phrase, Words } from '../api';
import classes from './Chat.module.css';

interface ChatProps {
  messages: ChatMessage[];
  /** Own identity, to tell own messages. */
  me: string;
  client: string;
  disabled: boolean;
  sending: boolean;
  /** Resolves to false when it could not be sent: the text stays. */
  onSend: (words: Words) => Promise<boolean>;
}

/** Longest message; it must be readable in large type on a phone. */
const MAX_LENGTH = 500;
const QUICK = { closer: 'quickCloser', still: 'quickStill', side: 'quickSide' } as const;
const PHRASES = Object.keys(QUICK) as Phrase[];

/** The chat of the case: the client reads the last words in large type. */
export function Chat({ messages, me, client, disabled, sending, onSend }: ChatProps) {
  const t = useT();
  const language = useLanguage();
  const [text, setText] = useState('');
  const log = useRef<HTMLDivElement>(null);
  const count = messages.length;
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [count]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const trimmed = text.trim();
    if (trimmed && !sending && (await onSend({ text: trimmed }))) setText('');
  };
  return (
    <section className={classes.chat} aria-label={t('call.chat')}>
      <div className={classes.head}>
        <h2>{t('call.chat')}</h2>
        <span>{t('call.chatLarge', { name: client })}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <div className={classes.log} ref={log} role="log" tabIndex={0} aria-label={t('call.chatLog')}>
        {messages.map((message) => {
          const mine = message.kind === 'staff';
          const colleague = mine && message.from !== me && message.name;
          return (
            <div key={message._id} className={classes.message} data-mine={mine || undefined}>
              {colleague && <span className={classes.from}>{message.name}</span>}
              {message.text}
              <time className="num" dateTime={message.at}>
                {timeOfDay(message.at, language)}
              </time>
            </div>
          );
        })}
      </div>
      <div className={classes.quick}>
        {PHRASES.map((phrase) => (
          <Button
            key={phrase}
            variant="default"
            size="xs"
            disabled={disabled || sending}
            onClick={() => void onSend({ text: t(`call.${QUICK[phrase]}`), phrase })}
          >
            {t(`call.${QUICK[phrase]}`)}
          </Button>
        ))}
      </div>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        <TextInput
          aria-label={t('call.chatWrite', { name: client })}
          placeholder={t('call.chatWrite', { name: client })}
          value={text}
          maxLength={MAX_LENGTH}
          disabled={disabled}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
          rightSection={
            <IconAction
              icon="send"
              size={28}
              label={t('call.chatSend')}
              disabled={disabled || sending || text.trim() === ''}
              onClick={() => log.current?.parentElement?.querySelector('form')?.requestSubmit()}
            />
          }
        />
      </form>
    </section>
  );
}
