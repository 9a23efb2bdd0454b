/** Everything that is asked for, what has arrived, and the one thing to do next. */
import type { Language } from '../model';
import { Button, CaseLine, Icon, type IconName, Page, whoOf } from '../ui';
import { dayText } from '../words';
import type { Desk } from './desk';
import type { FilesInfo } from './model';
import { type Progress, progressOf, type Queue } from './queue';
import { counted, type Key, reasonOf, useFiles } from './texts';
import { isMissing, missingOf, type Row, type RowState } from './view';

/** ", Carmen" after a sentence; nothing when the name is not known. */
function callName(info: FilesInfo | null, language: Language): string {
  const first = info?.contactPerson?.trim().split(/\s+/)[0];
  return first ? `${language === 'ar' ? '،' : ','} ${first}` : '';
}

function useTitle(rows: readonly Row[], progress: Progress): string {
  const { t, info, language } = useFiles();
  const name = callName(info, language);
  const missing = missingOf(rows);
  if (!missing.length) return progress.pending ? t('sending_title') : t('done_title', { name });
  if (missing.every(({ item }) => item.shot)) return counted(t, 'missing_photos', missing.length, { name });
  if (rows.length === 1 && rows[0]?.state === 'todo') return t('missing_free', { name });
  return counted(t, 'missing_files', missing.length, { name });
}

function Message() {
  const { t, info, language } = useFiles();
  if (!info) return null;
  const date = info.expiresAt && dayText(new Date(info.expiresAt), language);
  return (
    <>
      {info.pageShowText && (
        <blockquote class="message" dir="auto" aria-label={t('message_from', { who: whoOf(info as never) })}>
          {info.pageShowText}
        </blockquote>
      )}
      {date && <p class="t2 small">{t('until', { date })}</p>}
    </>
  );
}

const TONE: Partial<Record<RowState, string>> = {
  sent: 'ok',
  approved: 'ok',
  sending: 'accent',
  stuck: 'warn',
  repeat: 'warn',
  refused: 'bad',
};
const MARK: Partial<Record<RowState, IconName>> = {
  sent: 'check',
  approved: 'check',
  stuck: 'wifi',
  repeat: 'refresh',
  refused: 'warn',
};

function useStatus(row: Row): string | null {
  const { t, info } = useFiles();
  const { item, state, files, percent } = row;
  const texts: Record<RowState, () => string | null> = {
    todo: () => item.hint,
    repeat: () => (item.note ? t('row_repeat', { note: item.note }) : t('row_repeat_plain')),
    sending: () => t('row_sending', { percent }),
    stuck: () => t('row_stuck'),
    sent: () => (item.shot && files < 2 ? t('row_sent_photo') : counted(t, 'row_sent', Math.max(1, files))),
    approved: () => t(item.shot ? 'row_approved_photo' : 'row_approved_file'),
    refused: () => reasonOf({ t, info }, row.refused[row.refused.length - 1]?.code ?? ''),
  };
  return texts[state]();
}

function RowButton({ row, active, desk }: { row: Row; active: boolean; desk: Desk }) {
  const { item, state } = row;
  const status = useStatus(row);
  const thumb = isMissing(row) ? undefined : desk.thumbs.get(item._id);
  const mark = MARK[state];
  return (
    <button
      type="button"
      class={`up ${active ? 'now' : ''}`}
      aria-current={active ? 'step' : undefined}
      onClick={() => desk.choose(item._id)}
    >
      <span class="tn">{thumb ? <img src={thumb} alt="" /> : <Icon name={item.shot ? 'camera' : 'file'} />}</span>
      <span class="grow">
        <b>
          <bdi>{item.label}</bdi>
        </b>
        {status && (
          <span class={`s ${TONE[state] ?? 't2'}`}>
            {mark && <Icon name={mark} />}
            <span>
              <bdi>{status}</bdi>
            </span>
          </span>
        )}
        {state === 'sending' && <progress max={100} value={row.percent} aria-hidden="true" />}
      </span>
      {active && <Icon name="next" />}
    </button>
  );
}

/** Files that did not count although others of the same item did: named, so that nothing is lost silently. */
function Refused({ row, desk }: { row: Row; desk: Desk }) {
  const around = useFiles();
  if (!row.refused.length || row.state === 'refused') return null;
  return (
    <>
      {row.refused.map(({ key, name, code }) => (
        <div class="told refused" key={key}>
          <span class="grow">
            <b class="name">
              <bdi>{name}</bdi>
            </b>
            <span>{reasonOf(around, code)}</span>
          </span>
          <button type="button" class="shut" aria-label={around.t('refused_close')} onClick={() => desk.forget(key)}>
            <Icon name="x" />
          </button>
        </div>
      ))}
    </>
  );
}

export function QueueCard({ queue, desk }: { queue: Queue; desk: Desk }) {
  const { t } = useFiles();
  const progress = progressOf(queue);
  if (!progress.pending) return null;
  const last = progress.fleeting ? t('card_fleeting') : t('card_note');
  if (progress.stuck) {
    const kind: Key = queue.online ? 'card_stuck' : 'card_offline';
    return (
      <div class="card warned">
        <b class="label warn">
          <Icon name="wifi" />
          {t(`${kind}_title` as Key)}
        </b>
        <p class="t2 small">{progress.fleeting ? last : t(kind)}</p>
        <Button icon="refresh" onClick={desk.retry}>
          {t('card_retry')}
        </Button>
      </div>
    );
  }
  return (
    <div class="card">
      <div class="row">
        <b>{counted(t, 'card_sending', progress.pending)}</b>
        <bdi class="n" dir="ltr">
          {progress.percent} %
        </bdi>
      </div>
      <progress max={100} value={progress.percent} aria-label={counted(t, 'card_sending', progress.pending)} />
      <p class="t2 small">{last}</p>
    </div>
  );
}

function Actions({ desk, rows, progress }: { desk: Desk; rows: readonly Row[]; progress: Progress }) {
  const { t } = useFiles();
  const { active } = desk;
  const missing = missingOf(rows);
  if (active) {
    const again = active.state === 'repeat' && active.item.shot !== null;
    const more = !isMissing(active);
    return (
      <>
        <Button kind="main" icon="camera" onClick={desk.shoot}>
          {t(again ? 'take_again' : more ? 'take_more' : 'take')}
        </Button>
        <Button kind={active.item.shot ? 'quiet' : 'plain'} onClick={desk.pick}>
          {t('pick')}
        </Button>
        {missing.length > 0 && !progress.pending && (
          <Button kind="quiet" onClick={desk.stop}>
            {t('cannot')}
          </Button>
        )}
      </>
    );
  }
  const last = rows[rows.length - 1];
  return (
    <>
      <Button kind="main" busy={desk.finishing || progress.pending > 0} icon="check" onClick={desk.finish}>
        {t(progress.pending ? 'finish_wait' : desk.finishing ? 'finishing' : 'finish')}
      </Button>
      {last && (
        <Button kind="quiet" onClick={() => desk.choose(last.item._id)}>
          {t('add_more')}
        </Button>
      )}
    </>
  );
}

export function ListScreen({ desk }: { desk: Desk }) {
  const { t } = useFiles();
  const { rows, queue } = desk;
  const progress = progressOf(queue);
  const title = useTitle(rows, progress);
  const over = !missingOf(rows).length && !progress.pending;
  return (
    <Page title={title} actions={<Actions desk={desk} rows={rows} progress={progress} />}>
      <CaseLine />
      <Message />
      {desk.failed && (
        <p class="problem" role="alert">
          {t('finish_failed')}
        </p>
      )}
      <QueueCard queue={queue} desk={desk} />
      <ul class="asked" aria-label={t('list')}>
        {rows.map((row) => (
          <li key={row.item._id}>
            <RowButton row={row} active={desk.active?.item._id === row.item._id} desk={desk} />
            <Refused row={row} desk={desk} />
          </li>
        ))}
      </ul>
      {desk.reading && (
        <p class="reading t2">
          <span class="spin" aria-hidden="true" />
          {t('check_reading')}
        </p>
      )}
      {over && <p class="t2">{t('done_text').replaceAll('**', '')}</p>}
    </Page>
  );
}
