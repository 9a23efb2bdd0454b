import { Link } from '@tanstack/react-router';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import type { SetupItem } from '../api';
import { HOW, type Point } from '../model';
import classes from '../pages/SetupPage.module.css';

/** One point: what it is for, what there is of it, and while it is missing how it is done. */
export function PointRow({ point, item }: { point: Point; item: SetupItem }) {
  const t = useT();
  const language = useLanguage();
  const { ready, held } = item;
  const how = HOW[point];
  const known = knownText(t, language, point, item);
  return (
    <li className={classes.row} data-missing={!ready || undefined}>
      <Icon name={ready ? 'check' : 'warn'} />
      <div className={classes.words}>
        <h2>{t(`setup.${point}`)}</h2>
        <p className={classes.text}>{t(`setup.${point}Text`)}</p>
        {known && <p className={`${classes.value} num`}>{known}</p>}
        {held ? (
          <p className={`${classes.held} num`}>
            {t('setup.held', { count: held })}
            <Link to={paths.messageService()} search={{ tab: 'messages', state: 'captured' } as never}>
              {t('setup.see')}
            </Link>
          </p>
        ) : null}
        {!ready && how && (
          <p className={classes.how}>
            {t(`setup.${how.kind}`)}: <code>{how.text}</code>
          </p>
        )}
        {ready && how && item.source === 'firstAdministrator' && (
          <p className={classes.how}>
            {t('setup.mailboxOther')}: <code>{how.text}</code>
          </p>
        )}
        {!ready && point === 'legalTexts' && (
          <p className={classes.how}>
            <Link to={paths.legals()}>{t('setup.publish')}</Link>
          </p>
        )}
      </div>
      <span className={classes.state}>
        <Tag tone={ready ? 'ok' : 'warn'}>{ready ? t('setup.ready') : t('setup.lacks')}</Tag>
      </span>
    </li>
  );
}

/** What there is, in words: the provider by its name, the backup by its moment, the mailbox with where it comes from. */
function knownText(t: T, language: string, point: Point, { value, source, ready }: SetupItem): string {
  if (!value) return '';
  if (point === 'mailbox') {
    const used = t(source === 'firstAdministrator' ? 'setup.mailboxFollows' : 'setup.mailboxSet', { address: value });
    return ready ? used : `${used}. ${t('setup.mailboxNowhere')}`;
  }
  if (point === 'backup') return t('setup.backupAt', { when: shortDateTime(value, language) });
  if (point === 'sms' || point === 'email') return t(`messageservice.provider_${value}` as never);
  return value;
}
