import { codeText, useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { longDate, shortDateTime } from '@/shared/lib/dates';
import { count } from '@/shared/lib/money';
import { IconAction } from '@/shared/ui/IconAction';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { certificateState, shortHash, stateLook, type Verifactu } from '../model';
import classes from './verifactu.module.css';

/** Three things at a glance: the chain, the queue, and the system that both belong to. */
export function Overview({ state }: { state: Verifactu }) {
  return (
    <div className={classes.panel}>
      <Chain state={state} />
      <Queue state={state} />
      <System state={state} />
    </div>
  );
}

function Chain({ state: { chain } }: { state: Verifactu }) {
  const t = useT();
  const language = useLanguage();
  return (
    <section className={classes.part} aria-labelledby="verifactu-chain">
      <h2 id="verifactu-chain">{t('verifactu.chain')}</h2>
      <div className={`${classes.main} num`}>{count(chain.records, language)}</div>
      {chain.head ? (
        <dl className={classes.facts}>
          <dt>{t('verifactu.lastAt')}</dt>
          <dd className="num">{shortDateTime(chain.lastAt, language)}</dd>
          <dt>{t('verifactu.head')}</dt>
          <dd>
            <Hash hash={chain.head} label={t('verifactu.head')} />
          </dd>
        </dl>
      ) : (
        <p className={classes.quiet}>{t('verifactu.noRecords')}</p>
      )}
    </section>
  );
}

/** The beginning of a hash, and the whole of it to copy. */
export function Hash({ hash, label }: { hash: string; label: string }) {
  const t = useT();
  return (
    <span className={classes.hash}>
      <code title={hash}>{shortHash(hash)}</code>
      <IconAction icon="copy" size={28} label={`${t('common.copy')}: ${label}`} onClick={() => void copyText(hash)} />
    </span>
  );
}

function Queue({ state: { queue, mode } }: { state: Verifactu }) {
  const t = useT();
  const language = useLanguage();
  const answers = (['local', 'sent', 'accepted', 'withErrors', 'rejected'] as const).filter((name) => queue[name] > 0);
  return (
    <section className={classes.part} aria-labelledby="verifactu-queue">
      <h2 id="verifactu-queue">{t('verifactu.queue')}</h2>
      <div className={`${classes.main} num`}>
        {count(queue.pending, language)} <span className={classes.quiet}>{t('verifactu.pending')}</span>
      </div>
      {answers.length > 0 && (
        <div className={classes.answers}>
          {answers.map((name) => (
            <Tag key={name} tone={stateLook[name].tone} icon={stateLook[name].icon}>
              <span className="num">
                {t(`verifactu.${name}`)}: {count(queue[name], language)}
              </span>
            </Tag>
          ))}
        </div>
      )}
      <p className={`${classes.quiet} num`}>
        {mode === 'off'
          ? t('verifactu.notSending')
          : queue.pending > 0 && queue.nextAt
            ? t('verifactu.nextAt', { date: shortDateTime(queue.nextAt, language) })
            : queue.pending === 0 && t('verifactu.nothingWaiting')}
      </p>
      {mode !== 'off' && queue.lastError && (
        <Note
          tone="warn"
          icon="net"
          title={codeText(t, queue.lastError) ?? undefined}
          text={
            <>
              {queue.lastErrorText && <p>{t('verifactu.officeSaid', { text: queue.lastErrorText })}</p>}
              <p>{t('verifactu.lastError', { date: shortDateTime(queue.lastErrorAt, language) })}</p>
            </>
          }
        />
      )}
    </section>
  );
}

function System({ state: { environment, certificate, mode } }: { state: Verifactu }) {
  const t = useT();
  const language = useLanguage();
  const { system, host } = environment;
  const validity = certificate && certificateState(certificate.expiresAt, Date.now());
  const date = certificate && longDate(certificate.expiresAt, language);
  return (
    <section className={classes.part} aria-labelledby="verifactu-system">
      <h2 id="verifactu-system">{t('verifactu.system')}</h2>
      <dl className={classes.facts}>
        <dt>{t('verifactu.systemName')}</dt>
        <dd>
          {system.name} {system.version}
        </dd>
        <dt>{t('verifactu.systemId')}</dt>
        <dd className="num">{system.id}</dd>
        <dt>{t('verifactu.installation')}</dt>
        <dd className="num">{system.installation}</dd>
        {mode !== 'off' && (
          <>
            <dt>{t('verifactu.host')}</dt>
            <dd>{host}</dd>
          </>
        )}
        <dt>{t('verifactu.certificate')}</dt>
        <dd>
          {certificate?.subject ?? t('verifactu.certificateNone')}
          {validity === 'valid' && (
            <div className={`${classes.quiet} num`}>{t('verifactu.certificateExpires', { date: date ?? '' })}</div>
          )}
        </dd>
      </dl>
      {validity === 'soon' && (
        <Note tone="warn" icon="clock" text={t('verifactu.certificateSoon', { date: date ?? '' })} />
      )}
      {validity === 'expired' && (
        <Note tone="bad" icon="warn" text={t('verifactu.certificateExpired', { date: date ?? '' })} />
      )}
    </section>
  );
}
