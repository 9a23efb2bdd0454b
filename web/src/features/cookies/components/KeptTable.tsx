import { useT } from '@/shared/i18n';
import { type Kept, lifeText, shownName } from '../model';
import classes from './KeptTable.module.css';

interface KeptTableProps {
  /** Of the table, for a screen reader. */
  label: string;
  rows: Kept[];
  /** With a column that says where in the browser it lies. */
  withPlace?: boolean;
}

/** What is kept in the browser: name, what for, how long. The server's table (`kernel::cookies`) says what there is. */
export function KeptTable({ label, rows, withPlace = false }: KeptTableProps) {
  const t = useT();
  const heads = {
    name: t('cookies.name'),
    place: t('cookies.place'),
    kind: t('cookies.kind'),
    purpose: t('cookies.purpose'),
    life: t('cookies.life'),
  };
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{heads.name}</th>
          {withPlace && <th scope="col">{heads.place}</th>}
          <th scope="col">{heads.kind}</th>
          <th scope="col">{heads.purpose}</th>
          <th scope="col">{heads.life}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.storage + row.name}>
            <th scope="row" className={classes.name}>
              {shownName(row)}
            </th>
            {withPlace && <td data-head={heads.place}>{t(`cookies.place_${row.storage}`)}</td>}
            <td data-head={heads.kind}>{t(`cookies.kind_${row.kind}`)}</td>
            <td data-head={heads.purpose}>{t(`cookies.purpose_${row.purpose}`)}</td>
            <td data-head={heads.life}>{lifeText(t, row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
