import { Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { useT } from '@/shared/i18n';
import { menuLabel } from '@/shared/routes/labels';
import { Icon } from '@/shared/ui/Icon';
import type { ActivePlace, ShownEntry } from './menu';
import classes from './Shell.module.css';

/** A name beside an icon that stands alone. */
export function Hint({ label, on, children }: { label: string; on: boolean; children: ReactElement }) {
  return (
    <Tooltip label={label} position="right" disabled={!on}>
      {children}
    </Tooltip>
  );
}

/** 99 at most. */
export const MAX_COUNT = 99;

interface EntryProps {
  entry: ShownEntry;
  /** Where one is. */
  active: ActivePlace;
  collapsed: boolean;
  /** Shown in amber when there is one and it is not 0. */
  count?: number;
  onFollow?: () => void;
}

/** One entry with its submenu; a blocked one is shown and leads nowhere. */
export function SidebarEntry({ entry, active, collapsed, count, onFollow }: EntryProps) {
  const t = useT();
  const [open, { toggle }] = useDisclosure(true);
  const label = menuLabel(t, entry.name);
  const face = (
    <>
      <Icon name={entry.icon} />
      <span className={classes.entryLabel}>{label}</span>
      {count !== undefined && count > 0 && (
        <span className={classes.count}>
          {Math.min(count, MAX_COUNT)}
          <span className="visually-hidden"> {t('shell.waitingWord')}</span>
        </span>
      )}
    </>
  );
  if (entry.blocked) {
    return (
      <Tooltip label={t('shell.blockedTitle')} position="right" events={{ hover: true, focus: true, touch: true }}>
        <button type="button" className={classes.entry} aria-disabled="true" data-blocked>
          {face}
          <Icon name="lock" size={16} className={classes.lock} />
        </button>
      </Tooltip>
    );
  }
  const inside = active.group === entry;
  if (entry.children.length === 0 || entry.tabs) {
    return (
      <EntryLink label={label} url={entry.url} active={inside || active.url === entry.url} {...{ collapsed, onFollow }}>
        {face}
      </EntryLink>
    );
  }
  return (
    <>
      <Hint label={label} on={collapsed}>
        <button
          type="button"
          className={classes.entry}
          // Open, it leaves the mark to the entry below; closed, it stands for it.
          data-active={(inside && (!open || active.url === null)) || undefined}
          aria-expanded={open}
          onClick={toggle}
        >
          {face}
          <Icon name={open ? 'down' : 'right'} size={16} className={classes.lock} />
        </button>
      </Hint>
      {open &&
        entry.children.map(({ url, name, icon }) => (
          <EntryLink
            key={url}
            label={menuLabel(t, name)}
            url={url}
            active={active.url === url}
            sub
            {...{ collapsed, onFollow }}
          >
            {collapsed && <Icon name={icon} />}
            <span className={classes.entryLabel}>{menuLabel(t, name)}</span>
          </EntryLink>
        ))}
    </>
  );
}

interface EntryLinkProps {
  label: string;
  url: string;
  active: boolean;
  collapsed: boolean;
  /** Below another entry. */
  sub?: boolean;
  onFollow?: () => void;
  children: ReactNode;
}

/** A link of the menu. The one that stands for the shown page is scrolled into view, however narrow the menu is. */
function EntryLink({ label, url, active, collapsed, sub, onFollow, children }: EntryLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  // A narrower menu has other heights.
  useEffect(() => {
    if (active) link.current?.scrollIntoView({ block: 'nearest' });
  }, [active, collapsed]);
  return (
    <Hint label={label} on={collapsed}>
      <Link
        ref={link}
        to={url}
        className={classes.entry}
        data-sub={sub}
        data-active={active || undefined}
        aria-current={active ? 'page' : undefined}
        // The icon alone has no name.
        aria-label={collapsed ? label : undefined}
        onClick={onFollow}
      >
        {children}
      </Link>
    </Hint>
  );
}
