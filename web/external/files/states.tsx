/** Every state in which nothing can be sent (any more), each with what to do next. */
import { Button, CallCompany, CaseLine, type IconName, Page, whoOf } from '../ui';
import type { Desk } from './desk';
import type { RequestState } from './model';
import { type Key, useFiles } from './texts';
import { missingOf } from './view';

export function Loading() {
  const { t } = useFiles();
  return (
    <Page title={t('loading')} icon="camera" busy>
      <span class="spin big" aria-hidden="true" />
    </Page>
  );
}

export function Offline({ kept, onRetry }: { kept: boolean; onRetry: () => void }) {
  const { t } = useFiles();
  return (
    <Page
      title={t('offline_title')}
      icon="wifi"
      tone="warn"
      actions={
        <Button kind="main" icon="refresh" onClick={onRetry}>
          {t('offline_retry')}
        </Button>
      }
    >
      <p class="t2" role="status">
        {t('offline_text')}
      </p>
      {kept && <p class="hint">{t('offline_kept')}</p>}
    </Page>
  );
}

export function Unknown({ onRetry }: { onRetry: () => void }) {
  const { t } = useFiles();
  return (
    <Page
      title={t('unknown_title')}
      icon="link"
      tone="warn"
      actions={
        <Button kind="main" icon="refresh" onClick={onRetry}>
          {t('offline_retry')}
        </Button>
      }
    >
      <p class="t2">{t('unknown_text')}</p>
      <p class="t2">{t('unknown_more')}</p>
    </Page>
  );
}

const LOOKS: Record<Exclude<RequestState, 'open' | 'finished'>, { icon: IconName; tone: 'warn' | 'ok' | 'plain' }> = {
  expired: { icon: 'clock', tone: 'warn' },
  cancelled: { icon: 'check', tone: 'plain' },
  erased: { icon: 'lock', tone: 'plain' },
};

export function Closed({ state }: { state: Exclude<RequestState, 'open' | 'finished'> }) {
  const { t, info } = useFiles();
  return (
    <Page title={t(`${state}_title` as Key)} {...LOOKS[state]} actions={<CallCompany />}>
      <CaseLine />
      <p class="t2">{t(`${state}_text` as Key, { company: info?.company })}</p>
    </Page>
  );
}

export function Finished() {
  const { t, info } = useFiles();
  return (
    <Page title={t('finished_title')} icon="check" tone="ok" actions={<CallCompany />}>
      <CaseLine />
      <p class="t2">{t('finished_text', { who: whoOf(info as never) })}</p>
      <p class="t2">{t('finished_more', { company: info?.company })}</p>
    </Page>
  );
}

/** Asks once before finishing with something missing. */
export function Stop({ desk }: { desk: Desk }) {
  const { t, info } = useFiles();
  return (
    <Page
      title={t('stop_title')}
      actions={
        <>
          <Button kind="main" onClick={desk.back}>
            {t('stop_back')}
          </Button>
          <Button busy={desk.finishing} onClick={desk.finish}>
            {t(desk.finishing ? 'finishing' : 'stop_go')}
          </Button>
        </>
      }
    >
      <p class="t2">{t('stop_text', { who: whoOf(info as never) })}</p>
      <ul class="rest">
        {missingOf(desk.rows).map(({ item }) => (
          <li key={item._id}>
            <bdi>{item.label}</bdi>
          </li>
        ))}
      </ul>
      {desk.failed && (
        <p class="problem" role="alert">
          {t('finish_failed')}
        </p>
      )}
    </Page>
  );
}

export function Crash() {
  const { t } = useFiles();
  return (
    <Page
      title={t('crash_title')}
      icon="warn"
      tone="warn"
      actions={
        <Button kind="main" onClick={() => location.reload()}>
          {t('crash_go')}
        </Button>
      }
    >
      <p class="t2">{t('crash_text')}</p>
    </Page>
  );
}
