import { Link } from '@tanstack/react-router';
import type { ConferenceRow } from '@/api/types';
import { panelHref } from '@/shared/conference/panel-href';
import { useLanguage, useT } from '@/shared/i18n';
import { cancelledText } from '@/shared/lib/conferences';
import { longDateTime } from '@/shared/lib/dates';
import { DurationTag, FilesTag } from '@/shared/ui/ConferenceTags';
import { Icon } from '@/shared/ui/Icon';
import classes from './expedient.module.css';
import { Section } from './Section';

interface CallsProps {
  conferences: ConferenceRow[];
  /** The company of the lists the caller sees. */
  parent: string;
}

/** The calls of a case, newest first; each leads to its panel. */
export function Calls({ conferences, parent }: CallsProps) {
  const t = useT();
  const language = useLanguage();
  return (
    <Section title={t('expedients.calls')} count={conferences.length}>
      <ul className={classes.rows}>
        {conferences.map((row) => (
          <li key={row._id}>
            <Link to={panelHref(row, parent)} className={classes.call}>
              <Icon name="video" size={16} />
              <span className={classes.callText}>
                <b className="num">{longDateTime(row.createdAt, language)}</b>
                <span>{[row.userName, cancelledText(t, row)].filter(Boolean).join(' · ')}</span>
              </span>
              <DurationTag row={row} />
              <Files row={row} />
              <Icon name="right" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A state worth a tag, else how many files there are; nothing when there are none. */
function Files({ row }: { row: ConferenceRow }) {
  const t = useT();
  if (row.isNewMedia || row.mediaExpired || (row.filesRequested && row.files === 0)) return <FilesTag row={row} />;
  return row.files > 0 ? <span className="num">{t('media.fileCount', { count: row.files })}</span> : null;
}
