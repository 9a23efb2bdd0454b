import { Checkbox } from '@mantine/core';
import { type T, useT } from '@/shared/i18n';
import { noticeDate } from '@/shared/lib/dates';
import { Icon } from '@/shared/ui/Icon';
import { fullText, type Kind, kindOf, type Notice, SIGNS, shownAt } from '../model';
import classes from './Notices.module.css';

const kindText = (t: T, kind: Kind): string =>
  ({
    general: t('notifications.kindGeneral'),
    files: t('notifications.kindFiles'),
    request: t('notifications.kindRequest'),
    conference: t('notifications.kindConference'),
    personal: t('notifications.kindPersonal'),
  })[kind];

interface NoticeRowProps {
  notice: Notice;
  /** Ticked: mark it as read; unticked: as unread. */
  onMark: (readed: boolean) => void;
  onPress: () => void;
}

/** One notice: its checkbox, and a button that does what it leads to. */
export function NoticeRow({ notice, onMark, onPress }: NoticeRowProps) {
  const t = useT();
  const at = shownAt(notice);
  return (
    <li className={classes.row} data-read={notice.readed || undefined}>
      <Checkbox
        className={classes.check}
        checked={notice.readed}
        aria-label={t('notifications.markRead', { text: fullText(notice) })}
        onChange={(event) => onMark(event.currentTarget.checked)}
      />
      <button type="button" className={classes.press} onClick={onPress}>
        <NoticeSign notice={notice} />
        <time className={`${classes.time} num`} dateTime={at ?? undefined}>
          {noticeDate(at)}
        </time>
      </button>
    </li>
  );
}

/** Sign, text and what it is about. */
export function NoticeSign({ notice }: { notice: Notice }) {
  const t = useT();
  const kind = kindOf(notice);
  return (
    <>
      <span className={classes.sign}>
        <Icon name={SIGNS[kind]} />
      </span>
      <span className={classes.words}>
        <span className={classes.text}>
          {notice.text}
          {notice.expedientNumber && (
            <>
              {/* The space stands outside: a block drops the one that it begins with. */}{' '}
              <span className={`${classes.expedient} num`} data-whole>
                {notice.expedientNumber}
              </span>
            </>
          )}
        </span>
        <small>{kindText(t, kind)}</small>
      </span>
    </>
  );
}
