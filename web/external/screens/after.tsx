/** Coming back to a call, having left it, and the end. */
import type { Event } from '../machine';
import { Button, CaseLine, Onward, Page, useAround, whoOf } from '../ui';

type Send = (event: Event) => void;

export interface UploadProgress {
  /** Photos not yet on the server. */
  pending: number;
  /** Percent of what is pending, 0–100. */
  percent: number;
  failed: number;
}

export const NO_UPLOADS: UploadProgress = { pending: 0, percent: 0, failed: 0 };

export function Resume({ opening, send }: { opening: boolean; send: Send }) {
  const { t, info } = useAround();
  return (
    <Page
      title={t('resume_title')}
      icon="camera"
      showCase
      actions={
        <Button kind="main" icon="camera" busy={opening} onClick={() => send({ type: 'RESUME' })}>
          {t(opening ? 'resume_opening' : 'resume_go')}
        </Button>
      }
    >
      <p class="t2">{t('resume_text', { who: whoOf(info) })}</p>
    </Page>
  );
}

export function UploadCard({ uploads }: { uploads: UploadProgress }) {
  const { t, info } = useAround();
  if (uploads.pending === 0 && uploads.failed === 0) return null;
  if (uploads.pending === 0) return <p class="card">{t('upload_failed', { company: info?.company })}</p>;
  return (
    <div class="card">
      <div class="row">
        <b>{uploads.pending === 1 ? t('upload_one') : t('upload_many', { n: uploads.pending })}</b>
        <bdi class="n" dir="ltr">
          {uploads.percent} %
        </bdi>
      </div>
      <progress max={100} value={uploads.percent} aria-label={t('upload_one')} />
      <p class="t2 small">{t('upload_note')}</p>
    </div>
  );
}

export function Left({ uploads, send }: { uploads: UploadProgress; send: Send }) {
  const { t } = useAround();
  return (
    <Page
      title={t('left_title')}
      showCase
      actions={
        <>
          <Button kind="main" onClick={() => send({ type: 'COME_BACK' })}>
            {t('left_back')}
          </Button>
          <Onward />
        </>
      }
    >
      <p class="t2">{t('left_text')}</p>
      <UploadCard uploads={uploads} />
    </Page>
  );
}

export function Ended({ uploads }: { uploads: UploadProgress }) {
  const { t, info } = useAround();
  const text = uploads.pending > 0 ? 'ended_text_uploading' : 'ended_text';
  return (
    <Page title={t('finished')} icon="check" tone="ok" actions={<Onward />}>
      <p class="t2">{t(text, { company: info?.company })}</p>
      <CaseLine />
      <UploadCard uploads={uploads} />
    </Page>
  );
}
