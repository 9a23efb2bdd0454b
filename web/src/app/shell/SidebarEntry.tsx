import { Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useT } from '@/shared/i18n';
import { useShownPage } from '@/shared/lib/page';
import { Icon } from '@/shared/ui/Icon';
import { menuLabel } from './labels';
import { isActive, isGroupActive, type ShownEntry } from './menu';
import classes from './Shell.module.css';

/** A name beside an icon that stands alone. */
export function Hint({ label, on, children }: { label: string; on: boolean; children: ReactElement }) {
  return (
    <Tooltip label={label} position="right" disabled={!on}>
      {children}
    </Tooltip>
  );
}

/** LOOK.md "Badges": 99 at most. */
export const MAX_COUNT = 99;

interface EntryProps {
  entry: ShownEntry;
  pathname: string;
  collapsed: boolean;
  /** Shown in amber when there is one and it is not 0. */
  count?: number;
  onFollow?: () => void;
}

/** One entry with its submenu; a blocked one is shown and leads nowhere. */
export function SidebarEntry({ entry, pathname, collapsed, count, onFollow }: EntryProps) {
  const t = useT();
  const { section } = useShownPage();
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
  const group = entry.children.length > 0;
  const active = !group && isActive(entry.url, pathname, section);
  const urls = entry.children.map((child) => child.url);
  // Closed, it stands for its entries.
  const groupActive =
    isGroupActive(urls, pathname, section) || (!open && urls.some((url) => isActive(url, pathname, section)));
  return (
    <>
      <Hint label={label} on={collapsed}>
        {group ? (
          <button
            type="button"
            className={classes.entry}
            data-active={groupActive || undefined}
            aria-expanded={open}
            onClick={toggle}
          >
            {face}
            <Icon name={open ? 'down' : 'right'} size={16} className={classes.lock} />
          </button>
        ) : (
          <Link
            to={entry.url}
            className={classes.entry}
            data-active={active || undefined}
            aria-current={active ? 'page' : undefined}
            onClick={onFollow}
          >
            {face}
          </Link>
        )}
      </Hint>
      {open &&
        entry.children.map((child) => {
          const shown = isActive(child.url, pathname, section);
          return (
            <Hint key={child.url} label={menuLabel(t, child.name)} on={collapsed}>
              <Link
                to={child.url}
                className={classes.entry}
                data-sub
                data-active={shown || undefined}
                aria-current={shown ? 'page' : undefined}
                onClick={onFollow}
              >
                {collapsed && <Icon name={child.icon} />}
                <span className={classes.entryLabel}>{menuLabel(t, child.name)}</span>
              </Link>
            </Hint>
          );
        })}
    </>
  );
}
