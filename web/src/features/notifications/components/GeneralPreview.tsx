import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import composer from '@/shared/forms/composer.module.css';
import { errorText, useT } from '@/shared/i18n';
import { madridMoment, noticeDate } from '@/shared/lib/dates';
import { Note } from '@/shared/ui/Note';
import { safeHtml } from '@/shared/ui/safe-html';
import { previewBody } from '../api';
import { type GeneralForm, markup } from '../general';
import classes from './General.module.css';
import { NoticeSign } from './NoticeRow';
import notices from './Notices.module.css';

/** How long typing has to rest before the server is asked, milliseconds. */
const REST_MS = 400;

/** What people will see: the line in their panel and, with content, the dialog behind it. */
export function GeneralPreview({ values }: { values: GeneralForm }) {
  const t = useT();
  const html = markup(values.body);
  const [rested] = useDebouncedValue(html, REST_MS);
  const { data, error } = useQuery({ ...previewBody(rested), enabled: rested !== '' });
  const text = values.text.trim();
  const at = madridMoment(values.startAt) ?? new Date().toISOString();
  return (
    <aside className={composer.preview} aria-label={t('notifications.preview')}>
      <h3>{t('notifications.preview')}</h3>
      {text ? (
        <>
          <div className={`${notices.row} ${classes.sample}`}>
            <NoticeSign
              notice={{
                _id: '',
                category: 'general',
                readed: false,
                notificationTextId: null,
                text,
                updatedAt: null,
                startAt: at,
                type: 0,
                targetValue: null,
              }}
            />
            <time className={`${notices.time} num`}>{noticeDate(at)}</time>
          </div>
          {html && (
            <div className={classes.dialog}>
              <b>{text}</b>
              <div className={notices.html}>{safeHtml(data ?? rested)}</div>
            </div>
          )}
        </>
      ) : (
        <p className={composer.quiet}>{t('notifications.previewEmpty')}</p>
      )}
      {error && html && (
        <Note tone="warn" icon="warn" title={t('notifications.previewFailed')} text={errorText(t, error)} />
      )}
    </aside>
  );
}
