import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { findConferences } from '@/shared/conference/find';
import { panelHref } from '@/shared/conference/panel-href';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { formatPhone } from '@/shared/lib/phone';
import { Role, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { Plate } from '@/shared/ui/Plate';
import { FOUND, findCustomers } from './api';
import classes from './Finder.module.css';
import { matches } from './matches';

/** A page that the sidebar leads to, or something that is done at once. */
export interface FinderPage {
  label: string;
  icon: IconName;
  run: string | (() => void);
}

interface FinderProps {
  pages: FinderPage[];
}

/** Letters from which cases are asked for. */
const SEARCHED_FROM = 2;
/** Milliseconds without a key before they are. */
const PAUSE_MS = 200;

/**
 * Ctrl-K: a case by its number, plate, telephone or name, a customer, a page or an action, from everywhere but a call
 * (MENU-4). Roles find what their lists show them, because the same calls answer.
 */
export function Finder({ pages }: FinderProps) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const session = useRequiredSession();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), PAUSE_MS);
  const role = roleOf(session);
  const admin = role === Role.administrator;
  const asks = settled.length >= SEARCHED_FROM && role !== Role.passwordOperator;
  const company = admin ? '0' : session.user.parent;
  const cases = useQuery({ ...findConferences(company, settled), enabled: asks }).data;
  const customers = useQuery({ ...findCustomers(settled), enabled: asks && admin }).data;
  const go = (href: string) => void navigate({ href });
  const shownPages = pages.filter(({ label }) => matches(label, text));
  const shownCases = (asks && cases?.rows.slice(0, FOUND)) || [];
  const shownCustomers = (asks && customers?.rows) || [];
  const nothing = shownPages.length + shownCases.length + shownCustomers.length === 0;
  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut={['mod + K']}
      // Also out of a field that somebody is writing in.
      tagsToIgnore={[]}
      triggerOnContentEditable
      scrollable
      maxHeight={460}
      overlayProps={{ backgroundOpacity: 0.5 }}
      classNames={{ content: classes.content }}
      attributes={{ content: { 'aria-label': t('shell.finder') } }}
      onSpotlightClose={() => setText('')}
    >
      <Spotlight.Search
        placeholder={t('shell.finderPlaceholder')}
        aria-label={t('shell.finderPlaceholder')}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        <Group label={t('shell.finderCases')} show={shownCases.length > 0}>
          {shownCases.map((row) => (
            <Action
              key={row._id}
              icon={Number(row.type) === 1 ? 'car' : 'home'}
              title={row.expedientNumber}
              plate={row.carId}
              text={[row.contactPerson, row.phoneNumber && formatPhone(row.phoneNumber)].filter(Boolean).join(' · ')}
              aside={shortDateTime(row.createdAt, language)}
              run={() => go(panelHref(row, company))}
            />
          ))}
          <More of={cases?.total} shown={shownCases.length} />
        </Group>
        <Group label={t('shell.finderCustomers')} show={shownCustomers.length > 0}>
          {shownCustomers.map(({ _id, title, cif }) => (
            <Action key={_id} icon="bld" title={title} text={cif} run={() => go(paths.companyProfile(_id))} />
          ))}
          <More of={customers?.total} shown={shownCustomers.length} />
        </Group>
        <Group label={t('shell.finderPages')} show={shownPages.length > 0}>
          {shownPages.map(({ label, run, icon }) => (
            <Action key={label} icon={icon} title={label} run={typeof run === 'string' ? () => go(run) : run} />
          ))}
        </Group>
        {nothing && <Spotlight.Empty>{t('common.noResults')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Opens it from a button. */
export const openFinder = () => spotlight.open();

const Group = ({ label, show, children }: { label: string; show: boolean; children: ReactNode }) =>
  show ? <Spotlight.ActionsGroup label={label}>{children}</Spotlight.ActionsGroup> : null;

/** That a search found more than is shown. */
function More({ of = 0, shown }: { of?: number; shown: number }) {
  const t = useT();
  return of > shown ? <p className={classes.more}>{t('common.moreFound')}</p> : null;
}

interface ActionProps {
  icon: IconName;
  title: string;
  plate?: string | null;
  text?: string | null;
  aside?: string;
  run: () => void;
}

function Action({ icon, title, plate, text, aside, run }: ActionProps) {
  return (
    <Spotlight.Action onClick={run} className={classes.action}>
      <Icon name={icon} size={16} />
      <b className="num" data-whole>
        {title}
      </b>
      {plate && <Plate plate={plate} />}
      <span className={classes.text}>{text}</span>
      {aside && <span className={`${classes.aside} num`}>{aside}</span>}
    </Spotlight.Action>
  );
}
