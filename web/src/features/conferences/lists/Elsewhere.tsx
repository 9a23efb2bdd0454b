import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { findConferences } from '@/shared/conference/find';
import { panelHref } from '@/shared/conference/panel-href';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { DurationTag } from '@/shared/ui/ConferenceTags';
import { Plate } from '@/shared/ui/Plate';
import classes from './Elsewhere.module.css';

interface ElsewhereProps {
  search: string;
  parent: string;
  /** Only those that this user opened. */
  user?: string;
}

/** What a search finds on other days and in the other line, when the chosen days have nothing. */
export function Elsewhere({ search, parent, user }: ElsewhereProps) {
  const t = useT();
  const language = useLanguage();
  const { data, isPending } = useQuery(findConferences(parent, search, user));
  if (isPending) return null;
  const rows = data?.rows ?? [];
  if (rows.length === 0) return <p className={classes.none}>{t('conferences.elsewhereNothing')}</p>;
  return (
    <section className={classes.found} aria-label={t('conferences.elsewhere')}>
      <h2>{t('conferences.elsewhere')}</h2>
      <ul>
        {rows.map((row) => (
          <li key={row._id}>
            <Link to={panelHref(row, parent)} className={classes.row}>
              <b>
                <CaseNumber number={row.expedientNumber} />
              </b>
              {row.carId ? <Plate plate={row.carId} /> : <span />}
              <span className={classes.text}>{row.contactPerson || row.userName}</span>
              <span className={classes.quiet}>{t(Number(row.type) === 1 ? 'videocall.type1' : 'videocall.type2')}</span>
              <time className={`${classes.quiet} num`} dateTime={row.createdAt}>
                {shortDateTime(row.createdAt, language)}
              </time>
              <DurationTag row={row} />
            </Link>
          </li>
        ))}
      </ul>
      {data && data.total > rows.length && <p className={classes.more}>{t('common.moreFound')}</p>}
    </section>
  );
}
