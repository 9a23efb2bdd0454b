/** Before the notice: opening the link, and every way in which a link can fail (each with what to do next). */
import { useState } from 'preact/hooks';
import type { CodeError, Event } from '../machine';
import { Button, Onward, Page, useAround } from '../ui';

type Send = (event: Event) => void;

export function Loading() {
  const { t } = useAround();
  return (
    <Page title={t('loading')} icon="camera" busy>
      <span class="spin big" aria-hidden="true" />
    </Page>
  );
}

export function Offline({ send }: { send: Send }) {
  const { t } = useAround();
  return (
    <Page
      title={t('offline_title')}
      icon="wifi"
      tone="warn"
      actions={
        <Button kind="main" icon="refresh" onClick={() => send({ type: 'RETRY' })}>
          {t('offline_retry')}
        </Button>
      }
    >
      <p class="t2" role="status">
        {t('offline_text')}
      </p>
    </Page>
  );
}

export function Unknown({ send }: { send: Send }) {
  const { t } = useAround();
  return (
    <Page
      title={t('unknown_title')}
      icon="link"
      tone="warn"
      actions={
        <Button kind="main" onClick={() => send({ type: 'ASK_CODE' })}>
          {t('unknown_code')}
        </Button>
      }
    >
      <p class="t2">{t('unknown_text')}</p>
    </Page>
  );
}

/** Digits of a dictated code; it is read out and shown in groups of three. */
const DIGITS = 12;
const grouped = (code: string) => code.replace(/(\d{3})(?=\d)/g, '$1 ');

const CODE_ERRORS = { invalid: 'code_invalid', tooMany: 'code_many', network: 'code_network' } as const;

export function Code({ error, sending, send }: { error: CodeError | null; sending: boolean; send: Send }) {
  const { t } = useAround();
  const [code, setCode] = useState('');
  const [short, setShort] = useState(false);
  const problem = short ? t('code_short') : error ? t(CODE_ERRORS[error]) : null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (code.length !== DIGITS) setShort(true);
    else send({ type: 'CODE', code });
  };
  return (
    <form class="page-form" onSubmit={submit} noValidate>
      <Page
        title={t('code_title')}
        actions={
          <Button kind="main" submit busy={sending}>
            {t('code_go')}
          </Button>
        }
      >
        <p class="t2">{t('code_text')}</p>
        <input
          class={`code n ${problem ? 'bad' : ''}`}
          dir="ltr"
          inputMode="numeric"
          autocomplete="one-time-code"
          aria-label={t('code_label')}
          aria-invalid={problem !== null}
          aria-describedby="code-problem"
          value={grouped(code)}
          onInput={(event) => {
            setShort(false);
            setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, DIGITS));
          }}
        />
        <p id="code-problem" class="problem" role="alert">
          {problem}
        </p>
      </Page>
    </form>
  );
}

export function Expired() {
  const { t, info } = useAround();
  return (
    <Page title={t('expired')} icon="clock" tone="warn" showCase actions={<Onward />}>
      <p class="t2">{t('expired_text', { company: info?.company })}</p>
    </Page>
  );
}

export function Closed() {
  const { t, info } = useAround();
  return (
    <Page title={t('closed_title')} icon="check" tone="ok" showCase actions={<Onward />}>
      <p class="t2">{t('closed_text', { company: info?.company })}</p>
    </Page>
  );
}
