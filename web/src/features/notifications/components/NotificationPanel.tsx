import { Button, Drawer, Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useT } from '@/shared/i18n';
import { setNotificationsMuted, useNotificationsMuted } from '@/shared/lib/sounds';
import { pageCount } from '@/shared/ui/DataList/pages';
import { notice as dialog } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { StateView } from '@/shared/ui/StateView';
import { listNotices } from '../api';
import { keyOf, type Notice } from '../model';
import type { Notices } from '../use-notices';
import { NoticeRow } from './NoticeRow';
import classes from './Notices.module.css';
import { PanelPager } from './PanelPager';
import { useAct } from './use-act';

const PAGE_SIZE = 9;

interface NotificationPanelProps {
  opened: boolean;
  notices: Notices;
  onClose: () => void;
}

/** 800 px wide over the page, 90 % of a smaller one; the overlay and the cross close it. */
export function NotificationPanel({ opened, notices, onClose }: NotificationPanelProps) {
  const t = useT();
  const [covered, setCovered] = useState(false);
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      // Under the dialogs that a notice opens, which answer to the same Escape.
      zIndex={190}
      closeOnEscape={!covered}
      trapFocus={!covered}
      classNames={{ content: classes.panel }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('notifications.title')}>
        <PanelInside notices={notices} onClose={onClose} onDialog={setCovered} />
      </Drawer.Content>
    </Drawer.Root>
  );
}

type InsideProps = Omit<NotificationPanelProps, 'opened'> & { onDialog: (open: boolean) => void };

/** Mounted while the panel is open: each opening loads afresh. */
function PanelInside({ notices, onClose, onDialog }: InsideProps) {
  const t = useT();
  const { state, loaded, closed } = notices;
  const { data, error, isFetching, refetch } = useQuery(listNotices);
  useEffect(() => {
    if (data) loaded(data);
  }, [data, loaded]);
  useEffect(() => closed, [closed]);
  // A dialog beside the panel's own words.
  useEffect(() => {
    if (!error) return;
    onDialog(true);
    const shown = dialog({ title: t('common.unexpected'), text: t('common.tryAgain'), tone: 'bad' });
    void shown.finally(() => setTimeout(() => onDialog(false)));
  }, [error, onDialog, t]);
  const items = data ? (state.items ?? data) : null;
  return (
    <>
      <PanelHeader notices={notices} any={Boolean(items?.length)} onClose={onClose} />
      {error && !isFetching ? (
        <StateView
          icon="warn"
          tone="bad"
          title={t('notifications.error')}
          action={{ label: t('notifications.retry'), icon: 'refresh', run: () => void refetch() }}
        />
      ) : (
        <List items={items} notices={notices} onLeave={onClose} onDialog={onDialog} />
      )}
    </>
  );
}

function PanelHeader({ notices, any, onClose }: { notices: Notices; any: boolean; onClose: () => void }) {
  const t = useT();
  const muted = useNotificationsMuted();
  const { state, markAll } = notices;
  return (
    <header className={classes.header}>
      <h2 className={classes.title}>{t('notifications.title')}</h2>
      {state.count > 0 && (
        <span className={`${classes.unread} num`}>{t('notifications.unread', { count: state.count })}</span>
      )}
      <span className={classes.grow} />
      {any && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="check" size={16} />}
          loading={state.all !== null}
          onClick={() => void markAll()}
        >
          {t('notifications.markAll')}
        </Button>
      )}
      <Tooltip label={muted ? t('notifications.unmuteHelp') : t('notifications.muteHelp')}>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<Icon name={muted ? 'mute' : 'vol'} size={16} />}
          aria-pressed={muted}
          onClick={() => setNotificationsMuted(!muted)}
        >
          {muted ? t('notifications.unmute') : t('notifications.mute')}
        </Button>
      </Tooltip>
      <Drawer.CloseButton aria-label={t('common.close')} onClick={onClose} />
    </header>
  );
}

interface ListProps {
  /** Null while they load. */
  items: readonly Notice[] | null;
  notices: Notices;
  onLeave: () => void;
  onDialog: (open: boolean) => void;
}

function List({ items, notices, onLeave, onDialog }: ListProps) {
  const t = useT();
  const [wanted, setPage] = useState(1);
  const act = useAct({ onLeave, onDialog });
  if (!items) return <Waiting />;
  if (items.length === 0)
    return <StateView icon="bell" title={t('notifications.empty')} text={t('notifications.emptyText')} />;
  const pages = pageCount(items.length, PAGE_SIZE);
  const page = Math.min(wanted, pages);
  return (
    <>
      <ul className={classes.list} key={page}>
        {items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((notice) => (
          <NoticeRow
            key={keyOf(notice)}
            notice={notice}
            onMark={(readed) => void notices.mark(notice, readed)}
            onPress={() => {
              // Whatever the server says about the mark, the person gets what was pressed.
              if (!notice.readed) void notices.mark(notice, true);
              act(notice);
            }}
          />
        ))}
      </ul>
      <PanelPager page={page} pages={pages} onPage={setPage} />
    </>
  );
}

/** The rows to come; shown once the wait is felt. */
function Waiting() {
  const t = useT();
  return (
    <div className={classes.waiting} role="status" aria-label={t('common.loading')}>
      {[58, 72, 64, 49, 67, 55, 70, 61, 52].map((width) => (
        <div key={width}>
          <Skeleton h={16} w={16} />
          <Skeleton h={36} w={36} />
          <Skeleton h={12} w={`${width}%`} />
        </div>
      ))}
    </div>
  );
}
