import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useT } from '@/shared/i18n';
import classes from './SidePanel.module.css';

type TabName = 'photos' | 'case' | 'documents' | 'chat';

interface SidePanelProps {
  className?: string;
  photos: ReactNode;
  /** Pictures, or how many of the list are there: `6/9`. */
  photoCount: number | string;
  caseData: ReactNode;
  documents: ReactNode;
  documentCount: number;
  chat: ReactNode;
  /** Messages that arrived while the chat was not on screen. */
  unread: number;
  onChatShown: (shown: boolean) => void;
}

/** On its side a phone has the panel next to the picture, where folding it away would win nothing. */
const UPRIGHT_PHONE = '(max-width: 768px) and (min-height: 481px), (max-width: 559px)';

/**
 * Beside the picture: three tabs and the chat below. Up to 1024 px the chat becomes a fourth tab; on a phone a press
 * on the open tab folds the panel away.
 */
export function SidePanel(props: SidePanelProps) {
  const t = useT();
  const folded = useMediaQuery('(max-width: 1024px)') ?? false;
  const phone = useMediaQuery(UPRIGHT_PHONE) ?? false;
  const [chosen, setChosen] = useState<TabName | null | undefined>(undefined);
  const fallback: TabName | null = phone ? null : 'photos';
  let tab = chosen === undefined ? fallback : chosen;
  if (!folded && (tab === 'chat' || tab === null)) tab = 'photos';

  const choose = (value: string | null) => {
    setChosen(value as TabName | null);
    props.onChatShown(value === 'chat');
  };
  const counter = (n: number | string, fresh = false) =>
    n ? (
      <span className={`${classes.count} num`} data-new={fresh || undefined}>
        {n}
      </span>
    ) : null;
  return (
    <aside className={`${classes.panel} ${props.className ?? ''}`} aria-label={t('call.panel')}>
      <Tabs
        className={classes.tabs}
        data-open={tab !== null || undefined}
        value={tab}
        onChange={choose}
        allowTabDeactivation={phone}
        keepMounted={false}
        classNames={{ list: classes.list, tab: classes.tab }}
      >
        <Tabs.List>
          <Tabs.Tab value="photos" rightSection={counter(props.photoCount)}>
            {t('call.tabPhotos')}
          </Tabs.Tab>
          <Tabs.Tab value="case">{t('call.tabCase')}</Tabs.Tab>
          <Tabs.Tab value="documents" rightSection={counter(props.documentCount)}>
            {t('call.tabDocuments')}
          </Tabs.Tab>
          {folded && (
            <Tabs.Tab value="chat" rightSection={counter(props.unread, true)}>
              {t('call.chat')}
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="photos" className={classes.body}>
          {props.photos}
        </Tabs.Panel>
        <Tabs.Panel value="case" className={classes.body}>
          {props.caseData}
        </Tabs.Panel>
        <Tabs.Panel value="documents" className={classes.body}>
          {props.documents}
        </Tabs.Panel>
        {folded && (
          <Tabs.Panel value="chat" className={classes.body}>
            <div className={classes.chatTab}>{props.chat}</div>
          </Tabs.Panel>
        )}
      </Tabs>
      {!folded && <div className={classes.chat}>{props.chat}</div>}
    </aside>
  );
}
