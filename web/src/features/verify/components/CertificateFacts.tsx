import { type T, useLanguage, useT } from '@/shared/i18n';
import { longDateTime, shortDateTime } from '@/shared/lib/dates';
import { Icon, type IconName } from '@/shared/ui/Icon';
import type { VerifiedCertificate, VerifiedMedia } from '../model';
import { Digest } from './Digest';
import { SignatureFact } from './Keys';
import classes from './verify.module.css';

const STATES: Record<VerifiedCertificate['state'] | 'broken', { tone: 'ok' | 'bad' | 'warn'; icon: IconName }> = {
  valid: { tone: 'ok', icon: 'seal' },
  void: { tone: 'bad', icon: 'x' },
  filesExpired: { tone: 'warn', icon: 'clock' },
  broken: { tone: 'bad', icon: 'warn' },
};

/** What is certified: number, time, company, state, and the values that tie the files together. */
export function CertificateFacts({ certificate }: { certificate: VerifiedCertificate }) {
  const t = useT();
  const language = useLanguage();
  const { state, timestamp } = certificate;
  const { tone, icon } = STATES[state];
  return (
    <section className={classes.panel} aria-label={t('verify.certificate')}>
      <div className={classes.state} data-tone={tone} role="status">
        <Icon name={icon} size={24} />
        <div>
          <b>{t(`verify.state_${state}`)}</b>
          <span>{t(`verify.state_${state}_text`)}</span>
        </div>
      </div>
      <dl className={classes.facts}>
        <dt>{t('verify.number')}</dt>
        <dd className="num">{certificate.number}</dd>
        <dt>{t('verify.issuedAt')}</dt>
        <dd className="num">{longDateTime(certificate.issuedAt, language)}</dd>
        <dt>{t('verify.company')}</dt>
        <dd>{certificate.company}</dd>
        <dt>{t('verify.expedient')}</dt>
        <dd className="num">{certificate.expedient}</dd>
        <dt>{t('verify.head')}</dt>
        <dd>
          <Digest hex={certificate.head} />
        </dd>
        <dt>{t('verify.root')}</dt>
        <dd>
          <Digest hex={certificate.root} />
        </dd>
        <dt>{t('verify.signature')}</dt>
        <dd className="num">
          <SignatureFact signature={certificate.signature} />
        </dd>
        <dt>{timestamp?.qualified ? t('verify.timestampQualified') : t('verify.timestamp')}</dt>
        <dd className="num">
          {timestamp ? (
            <>
              {longDateTime(timestamp.at, language)}
              <small>
                {timestamp.authority} · {t('verify.serial', { serial: timestamp.serial })}
              </small>
            </>
          ) : (
            t('verify.timestampNone')
          )}
        </dd>
      </dl>
    </section>
  );
}

export const typeText = (t: T, type: VerifiedMedia['type']) => t(`verify.type_${type}`);

/** The certified files with their digests; those a visitor brought are marked. */
export function MediaTable({ media, found }: { media: VerifiedMedia[]; found: ReadonlySet<string> }) {
  const t = useT();
  const language = useLanguage();
  return (
    <section className={classes.panel}>
      <h2 className={classes.panelTitle}>{t('verify.files', { count: media.length })}</h2>
      {media.length === 0 ? (
        <p className={classes.none}>{t('verify.filesNone')}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('verify.fileN')}</th>
              <th scope="col">{t('verify.fileType')}</th>
              <th scope="col">{t('verify.capturedAt')}</th>
              <th scope="col">SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {media.map((item) => (
              <tr key={item.n} data-found={found.has(item.sha256.toLowerCase()) || undefined}>
                <td className="num">
                  {item.n}
                  {found.has(item.sha256.toLowerCase()) && (
                    <Icon name="check" size={16} label={t('verify.fileFound')} className={classes.ok} />
                  )}
                </td>
                <td>{typeText(t, item.type)}</td>
                <td className="num">{shortDateTime(item.capturedAt, language)}</td>
                <td>
                  <Digest hex={item.sha256} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
