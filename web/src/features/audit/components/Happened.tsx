import { Link } from '@tanstack/react-router';
import { pages } from '@/api/generated/access';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { formatPhone } from '@/shared/lib/phone';
import { mayOpen } from '@/shared/routes/access';
import { menuLabel } from '@/shared/routes/labels';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import type { AuditLog } from '../api';
import { detailText, type Person, pageOfAction, sentence } from '../model';
import classes from '../pages/AuditPage.module.css';

const userName = (t: T, { user }: AuditLog) => {
  if (!user) return t('audit.goneUser');
  const { name, userName } = user;
  return name || (userName.includes('@') ? userName : formatPhone(userName)) || t('audit.goneUser');
};

/** A list of the platform is of many companies at once. */
const companyName = (t: T, { action, company }: AuditLog) =>
  company.company || (action === 'DATA_READ' ? t('audit.severalCompanies') : '–');

const nameOf = (t: T, person: Person, log: AuditLog) => (person === 'user' ? userName(t, log) : companyName(t, log));

/** The sentence of an entry as plain words. */
export const happenedText = (t: T, language: string, log: AuditLog): string =>
  sentence(t, language, log.action, log.detail)
    .map((piece) => (typeof piece === 'string' ? piece : nameOf(t, piece.person, log)))
    .join('');

/** What happened: a sentence whose people are links, what is to be known besides, and the way to the page it was done on. */
export function Happened({ log }: { log: AuditLog }) {
  const t = useT();
  const language = useLanguage();
  const pieces = sentence(t, language, log.action, log.detail);
  const facts = detailText(t, language, log.action, log.detail);
  return (
    <span className={classes.happened}>
      <span>
        {pieces.map((piece) =>
          typeof piece === 'string' ? piece : <PersonLink key={piece.person} person={piece.person} log={log} />,
        )}
      </span>
      <small>
        {facts}
        <PageLink log={log} />
      </small>
    </span>
  );
}

function PersonLink({ person, log }: { person: Person; log: AuditLog }) {
  const t = useT();
  const reader = useRequiredSession();
  const name = nameOf(t, person, log);
  const ids = { parent: log.company._id, id: log.user?._id };
  const page = person === 'user' ? 'user' : 'companyProfile';
  // Of an account that is gone, nothing can be shown.
  const known = person === 'user' ? Boolean(log.user?.userName) : Boolean(log.company.company);
  if (!known || !mayOpen(page, reader, ids)) return <b>{name}</b>;
  const to = person === 'user' ? paths.user(ids.parent, ids.id ?? '') : paths.companyProfile(ids.parent);
  return <Link to={to}>{name}</Link>;
}

function PageLink({ log }: { log: AuditLog }) {
  const t = useT();
  const reader = useRequiredSession();
  const page = pageOfAction(log.action);
  const ids = { parent: log.company._id };
  if (!page || !mayOpen(page, reader, ids)) return null;
  return (
    <Link className={classes.place} to={pages[page].path.replace('{parent}', encodeURIComponent(ids.parent))}>
      {menuLabel(t, `shell.${page}`)}
    </Link>
  );
}
