import { useQuery } from '@tanstack/react-query';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { evidenceKeys } from '../api';
import { type EvidenceKey, KEYS_PATH, type Signature } from '../model';
import { Digest } from './Digest';
import classes from './verify.module.css';

/** A link to the public keys, with which an archive is checked without this page. */
function Download() {
  const t = useT();
  return (
    <a href={KEYS_PATH} download="atalaya-evidence.pem">
      {t('verify.keysDownload')}
    </a>
  );
}

/** Who signed the seal, and what is known of that key since. */
export function SignatureFact({ signature }: { signature: Signature | null }) {
  const t = useT();
  const language = useLanguage();
  if (!signature) return t('verify.signatureNone');
  const { fingerprint, retiredAt, stolenOn } = signature;
  return (
    <>
      <Digest hex={fingerprint} />
      {stolenOn ? (
        <small>{t('verify.signatureStolen', { day: shortDate(stolenOn, language) })}</small>
      ) : (
        retiredAt && <small>{t('verify.signatureRetired', { date: shortDate(retiredAt, language) })}</small>
      )}
      <small>
        <Download />
      </small>
    </>
  );
}

/** The keys of this installation, for whoever wants to keep them. */
export function Keys() {
  const t = useT();
  const language = useLanguage();
  const { data: keys = [] } = useQuery(evidenceKeys);
  return (
    <section className={classes.panel}>
      <h2 className={classes.panelTitle}>{t('verify.keys')}</h2>
      <div className={classes.inside}>
        <p className={classes.note}>{t('verify.keysText')}</p>
        <ul className={classes.keys}>
          {keys.map((key) => (
            <li key={key.fingerprint}>
              <Digest hex={key.fingerprint} />
              <small className="num">{lifeOf(t, key, language)}</small>
            </li>
          ))}
        </ul>
        <Download />
      </div>
    </section>
  );
}

function lifeOf(t: T, { since, until, stolenOn }: EvidenceKey, language: string): string {
  const parts = [t('verify.keySince', { date: shortDate(since, language) })];
  if (stolenOn) parts.push(t('verify.keyStolen', { day: shortDate(stolenOn, language) }));
  else if (until) parts.push(t('verify.keyUntil', { date: shortDate(until, language) }));
  return parts.join(' · ');
}
