import { useT } from '@/shared/i18n';
import type { FiscalRequest } from '../types';
import classes from './fiscal.module.css';

/** What is in force beside what is asked for, field by field; of a decided request only what was asked for. */
export function Changes({ request }: { request: FiscalRequest }) {
  const t = useT();
  const open = request.status === 'open';
  return (
    <table className={classes.compare}>
      <thead>
        <tr>
          <th scope="col">{t('fiscal.field')}</th>
          {open && <th scope="col">{t('fiscal.now')}</th>}
          <th scope="col">{t('fiscal.wanted')}</th>
        </tr>
      </thead>
      <tbody>
        {request.changes.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row">{t(`companies.${field}`)}</th>
            {open && <td className="num">{from || '–'}</td>}
            <td className={`${classes.new} num`}>{to}</td>
          </tr>
        ))}
        {open && request.regime !== request.regimeAfter && (
          <tr>
            <th scope="row">{t('fiscal.regime')}</th>
            <td>{t(`fiscal.regime_${request.regime}`)}</td>
            <td className={classes.new}>{t(`fiscal.regime_${request.regimeAfter}`)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
