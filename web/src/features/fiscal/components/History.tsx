import { useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { dayText } from '@/shared/lib/months';
import { Section } from '@/shared/ui/Section';
import type { FiscalIdentity } from '../types';
import { BlockFacts } from './BlockFacts';
import { DocumentButton } from './DocumentButton';
import classes from './fiscal.module.css';
import { RequestTag } from './RequestTag';

/** What was in force before, and what was asked for. */
export function History({ identity }: { identity: FiscalIdentity }) {
  const t = useT();
  const language = useLanguage();
  const { versions, requests } = identity;
  return (
    <>
      <Section
        id="fiscal-history"
        title={t('fiscal.history')}
        text={versions.length === 0 ? t('fiscal.historyEmpty') : ''}
      >
        <ul className={classes.list}>
          {versions.map((version) => (
            <li key={version.number}>
              <details className={classes.words}>
                <summary>
                  <b className="num">
                    {version.validFrom
                      ? t('fiscal.from', { date: dayText(version.validFrom, language) })
                      : t('fiscal.always')}
                  </b>{' '}
                  {version.block.company} · <span className="num">{version.block.cif || '–'}</span>
                </summary>
                <BlockFacts block={version.block} regime={version.regime} />
                {version.reason && <p>{version.reason}</p>}
                {version.viesAt && (
                  <p className={classes.quiet}>
                    {t('fiscal.vies', { date: shortDate(version.viesAt, language) })}
                    {version.viesReference && (
                      <span className="num"> · {t('fiscal.viesReference', { reference: version.viesReference })}</span>
                    )}
                  </p>
                )}
                {version.approvedBy && (
                  <p className={classes.quiet}>
                    {t('fiscal.approvedBy', { name: version.approvedBy, date: shortDate(version.createdAt, language) })}
                  </p>
                )}
              </details>
            </li>
          ))}
        </ul>
      </Section>
      {requests.length > 0 && (
        <Section id="fiscal-requests" title={t('fiscal.requests')} text="">
          <ul className={classes.list}>
            {requests.map((request) => (
              <li key={request._id}>
                <div className={classes.words}>
                  <span>{request.changes.map(({ field }) => t(`companies.${field}`)).join(', ')}</span>
                  <div className={`${classes.quiet} num`}>
                    {t('fiscal.askedBy', { name: request.askedBy, date: shortDate(request.askedAt, language) })}
                  </div>
                  {request.reason && <div className={classes.quiet}>{request.reason}</div>}
                </div>
                <RequestTag request={request} />
                <DocumentButton request={request} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
