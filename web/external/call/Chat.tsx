/** The adjuster's last words, large, on the picture; and the whole conversation on a sheet. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatMessage } from '../model';
import { Icon, useAround } from '../ui';
import { clockText } from '../words';
import type { Session } from './session';
import { lastWords, wordsOf } from './view';

const MAX_LENGTH = 1000;

export function LastWords({ chat, onOpen }: { chat: readonly ChatMessage[]; onOpen: () => void }) {
  const { t } = useAround();
  const last = lastWords(chat);
  return (
    <div class="words">
      <div role="log">
        {last && (
          <button class="said" type="button" onClick={onOpen}>
            <span>
              <bdi>{last.name}</bdi>
            </span>
            <bdi>{wordsOf(t, last)}</bdi>
          </button>
        )}
      </div>
      <button class="write" type="button" onClick={onOpen}>
        <Icon name="chat" />
        {t('chat_open')}
      </button>
    </div>
  );
}

interface Props {
  chat: readonly ChatMessage[];
  who: string;
  session: Session;
  onClose: () => void;
}

export function Chat({ chat, session, onClose }: Props) {
  const { t, language } = useAround();
  const [text, setText] = useState('');
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');
  const dialog = useRef<HTMLDialogElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [chat.length]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const words = text.trim();
    if (!words || state === 'sending') return;
    setState('sending');
    const sent = await session.sendChat(words);
    if (sent) setText('');
    setState(sent ? 'idle' : 'failed');
  };

  return (
    <dialog class="sheet chat" ref={dialog} aria-labelledby="chat-title" onCancel={onClose} onClose={onClose}>
      <div class="chat-head">
        <h2 id="chat-title">{t('chat_title')}</h2>
        <button type="button" class="icon" aria-label={t('chat_close')} onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by the keyboard */}
      <div class="chat-list" role="log" tabIndex={0}>
        {chat.length === 0 && <p class="t2">{t('chat_empty')}</p>}
        {chat.map((message) => (
          <p key={message._id} class={message.kind === 'client' ? 'mine' : 'theirs'}>
            <span>
              <bdi>{message.kind === 'client' ? t('chat_you') : message.name}</bdi> ·{' '}
              <bdi>{clockText(message.at, language)}</bdi>
            </span>
            <bdi>{wordsOf(t, message)}</bdi>
          </p>
        ))}
        <div ref={end} />
      </div>
      <p class="problem" role="alert">
        {state === 'failed' && t('chat_failed')}
      </p>
      <form class="chat-form" onSubmit={submit}>
        <input
          aria-label={t('chat_label')}
          dir={text ? 'auto' : undefined}
          placeholder={t('chat_label')}
          maxLength={MAX_LENGTH}
          enterkeyhint="send"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button class="icon main" type="submit" aria-label={t('chat_send')}>
          <Icon name="send" />
        </button>
      </form>
    </dialog>
  );
}
