import { ActionIcon, Drawer, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ConferenceDetails } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { isOpen } from '@/shared/lib/conferences';
import { Icon } from '@/shared/ui/Icon';
import { PositionsMap } from '@/shared/ui/map/PositionsMap';
import { StateView } from '@/shared/ui/StateView';
import tabbed from '@/shared/ui/tabbed-drawer.module.css';
import { getConferenceDetails } from '../api';
import { Connections } from './Connections';
import { DetailsActions } from './DetailsActions';
import classes from './details.module.css';
import { FilesTab } from './FilesTab';
import { Pictures } from './Pictures';
import { Summary } from './Summary';
import { Timeline } from './Timeline';
import { useNeighbourKeys } from './use-neighbour-keys';

interface DetailsDrawerProps {
  /** `null` is closed. */
  conferenceId: string | null;
  /** Whether the caller may enter calls. */
  mayCall: boolean;
  /** Only reads: no certificate, no case. */
  readsOnly?: boolean;
  onClose: () => void;
  /** The rows before and after it in the list, where there are any. */
  previous?: string;
  next?: string;
  onGo?: (id: string) => void;
}

/** A conference that is still open is asked for again this often. Milliseconds. */
const LIVE_EVERY_MS = 10_000;

/** The details panel of a conference, on the right of its list. */
export function DetailsDrawer({ conferenceId, mayCall, readsOnly = false, onClose, ...list }: DetailsDrawerProps) {
  const t = useT();
  useNeighbourKeys(conferenceId !== null, list);
  // While it leaves it shows what it showed.
  const [shown, setShown] = useState(conferenceId);
  useEffect(() => {
    if (conferenceId) setShown(conferenceId);
  }, [conferenceId]);
  return (
    <Drawer
      opened={conferenceId !== null}
      onClose={onClose}
      position="right"
      size={640}
      title={<Title {...list} />}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      classNames={{ body: tabbed.body, header: tabbed.header }}
    >
      {shown && <Details key={shown} conferenceId={conferenceId ?? shown} mayCall={mayCall} readsOnly={readsOnly} />}
    </Drawer>
  );
}

type Neighbours = Pick<DetailsDrawerProps, 'previous' | 'next' | 'onGo'>;

/** The panel's name, and the way to the conferences beside it in the list. */
function Title({ previous, next, onGo }: Neighbours) {
  const t = useT();
  const step = (label: string, icon: 'left' | 'right', id: string | undefined) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={label}
      disabled={!id}
      onClick={() => id && onGo?.(id)}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  );
  return (
    <span className={classes.titleLine}>
      {t('conferences.details')}
      {onGo && (
        <span>
          {step(t('conferences.previousRow'), 'left', previous)}
          {step(t('conferences.nextRow'), 'right', next)}
        </span>
      )}
    </span>
  );
}

type Rights = Required<Pick<DetailsDrawerProps, 'mayCall' | 'readsOnly'>>;

function Details({ conferenceId, ...rights }: { conferenceId: string } & Rights) {
  const t = useT();
  const { data, error, refetch } = useQuery({
    ...getConferenceDetails(conferenceId),
    refetchInterval: (asked) =>
      asked.state.data && isOpen(asked.state.data.conference, new Date()) ? LIVE_EVERY_MS : false,
  });
  if (error && !data) {
    const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void refetch() };
    const text = errorText(t, error);
    return <StateView icon="warn" tone="bad" title={t('conferences.detailsFailed')} text={text} action={retry} />;
  }
  if (!data) return <Waiting />;
  return <Panel details={data} {...rights} />;
}

function Panel({ details, ...rights }: { details: ConferenceDetails } & Rights) {
  const t = useT();
  const { conference, positions } = details;
  // All files have a tab of their own, which shows the pictures again.
  const [tab, setTab] = useState<string | null>('summary');
  const type = Number(conference.type) === 1 ? t('videocall.type1') : t('videocall.type2');
  return (
    <>
      <div className={classes.head}>
        <h2 className="num">{conference.expedientNumber}</h2>
        <span className={classes.quiet}>{[type, conference.contactPerson].filter(Boolean).join(' · ')}</span>
        <DetailsActions conference={conference} {...rights} />
      </div>
      {tab !== 'files' && <Pictures conferenceId={conference._id} />}
      <Tabs value={tab} onChange={setTab} keepMounted={false} classNames={{ list: tabbed.tabs, tab: tabbed.tab }}>
        <Tabs.List>
          <Tabs.Tab value="summary">{t('conferences.tabSummary')}</Tabs.Tab>
          <Tabs.Tab value="timeline">{t('conferences.tabTimeline')}</Tabs.Tab>
          <Tabs.Tab value="map">{t('conferences.tabMap')}</Tabs.Tab>
          <Tabs.Tab value="files">{t('conferences.tabFiles')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="summary" className={classes.panel}>
          <Summary details={details} />
          {!rights.readsOnly && <Connections conferenceId={conference._id} />}
        </Tabs.Panel>
        <Tabs.Panel value="timeline" className={classes.panel}>
          <Timeline details={details} />
        </Tabs.Panel>
        <Tabs.Panel value="map" className={classes.panel}>
          <PositionsMap positions={positions} />
        </Tabs.Panel>
        <Tabs.Panel value="files" className={classes.panel}>
          <FilesTab conferenceId={conference._id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Waiting() {
  return (
    <div className={classes.head} aria-hidden="true">
      <Skeleton h={24} w={160} />
      <Skeleton h={16} w={220} mt={8} />
      <Skeleton h={200} mt={24} />
    </div>
  );
}
