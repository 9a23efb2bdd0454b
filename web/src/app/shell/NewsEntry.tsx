import { openNews, useNewsUnseen } from '@/features/news/news';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';
import { Hint } from './SidebarEntry';

interface NewsEntryProps {
  collapsed: boolean;
  onFollow?: () => void;
}

/** Opens the news; carries a dot until it was followed once. */
export function NewsEntry({ collapsed, onFollow }: NewsEntryProps) {
  const t = useT();
  const unseen = useNewsUnseen();
  const follow = () => {
    onFollow?.();
    openNews(true);
  };
  return (
    <Hint label={t('shell.news')} on={collapsed}>
      <button type="button" className={classes.entry} aria-haspopup="dialog" onClick={follow}>
        <Icon name="spark" />
        <span className={classes.entryLabel}>{t('shell.news')}</span>
        {unseen && (
          <span className={classes.dot}>
            <span className="visually-hidden">{t('news.unseen')}</span>
          </span>
        )}
      </button>
    </Hint>
  );
}
