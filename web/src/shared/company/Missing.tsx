import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operation } from '@/api/operation';
import type { MissingPiece } from '@/api/types';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { mayOpenOwn, ownHref } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import classes from './Missing.module.css';

const pieceText = (t: T, piece: MissingPiece, payStart: string | null) =>
  ({
    legal: t('shell.missingLegal'),
    iban: t('shell.missingIban'),
    payStart: payStart ? t('shell.missingPayStartOn', { date: payStart }) : t('shell.missingPayStart'),
    status: t('shell.missingStatus'),
  })[piece];

/** The contact of the platform, for what only its administrators can mend. */
const contact = {
  queryKey: ['links'],
  queryFn: () => operation('get', '/api/v1/get-links', { anonymous: true }),
  staleTime: 60 * 60_000,
};

interface MissingProps {
  pieces: MissingPiece[];
  /** The link to the company's page; left out where a button leads there. */
  withLink?: boolean;
  onFollow?: () => void;
}

/**
 * Which pieces a company lacks, each with the way to mend it: the company's page for who may open it, else whom to ask.
 */
export function Missing({ pieces, withLink = true, onFollow }: MissingProps) {
  const t = useT();
  const language = useLanguage();
  const person = useRequiredSession();
  const mends = mayOpenOwn('companyProfile', person);
  const own = pieces.filter((piece) => piece === 'legal' || piece === 'iban');
  const start = person.user.company?.pay_startAt;
  // A start that is known comes by itself.
  const platform = pieces.filter((piece) => (piece === 'payStart' && !start) || piece === 'status');
  const { data: links } = useQuery({ ...contact, enabled: mends && platform.length > 0 });
  if (pieces.length === 0) return null;
  return (
    <div className={classes.missing}>
      <ul>
        {pieces.map((piece) => (
          <li key={piece}>{pieceText(t, piece, start ? longDate(start, language) : null)}</li>
        ))}
      </ul>
      {!mends && own.length + platform.length > 0 && <p>{t('shell.askPrincipal')}</p>}
      {mends && withLink && own.length > 0 && (
        <Link to={ownHref('companyProfile', person.user)} onClick={onFollow}>
          {t('shell.bannerUpdate')}
        </Link>
      )}
      {mends && platform.length > 0 && (
        <p>
          {t('shell.askPlatform')}
          {links?.contactEmail && (
            <>
              {' '}
              <a href={`mailto:${links.contactEmail}`}>{links.contactEmail}</a>
            </>
          )}
        </p>
      )}
    </div>
  );
}
