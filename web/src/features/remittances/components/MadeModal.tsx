import { Modal } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLanguage, useT } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { paths } from '@/shared/routes/paths';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { excludedGroups, excludedNext, excludedText } from '../model';
import type { RemittanceMade } from '../types';
import classes from './remittances.module.css';

/** The file is made: what it holds, where it is, what to do with it, and what stayed out. */
export function MadeModal({ made, onClose }: { made: RemittanceMade | null; onClose: () => void }) {
  const t = useT();
  return (
    <Modal opened={made !== null} onClose={onClose} size={640} title={t('sepa.made')}>
      {made && <Made made={made} onClose={onClose} />}
    </Modal>
  );
}

function Made({ made, onClose }: { made: RemittanceMade; onClose: () => void }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div className={classes.form}>
      <dl className={classes.figures}>
        <div>
          <dt>{t('sepa.msgId')}</dt>
          <dd>{made.msgId}</dd>
        </div>
        <div>
          <dt>{t('sepa.debits')}</dt>
          <dd>{made.nbOfTxs}</dd>
        </div>
        <div>
          <dt>{t('sepa.sum')}</dt>
          <dd>{euros(made.ctrlSum, language)}</dd>
        </div>
      </dl>
      <ol className={classes.steps}>
        <li>{t('sepa.madeMailed')}</li>
        <li>{t('sepa.madeOpen')}</li>
        <li>{t('sepa.madeBank')}</li>
        <li>{t('sepa.madeReturn')}</li>
      </ol>
      {made.excluded.length > 0 && (
        <section className={classes.left}>
          <h3>{t('sepa.leftOut', { count: made.excluded.length })}</h3>
          {excludedGroups(made.excluded).map(({ reason, rows }) => (
            <Note
              key={reason}
              title={`${excludedText(t, reason)} · ${rows.length}`}
              text={
                <>
                  {excludedNext(t, reason)}
                  <ul className={classes.plainList}>
                    {rows.map((row) => (
                      <li key={row.invoiceId}>
                        <span className="num">{row.number}</span>{' '}
                        {row.customerId ? (
                          <Link to={paths.companyProfile(row.customerId)}>{row.company}</Link>
                        ) : (
                          row.company
                        )}
                      </li>
                    ))}
                  </ul>
                </>
              }
            />
          ))}
        </section>
      )}
      <DialogButtons go={t('common.accept')} onGo={onClose} icon="check" />
    </div>
  );
}
