import { useT } from '@/shared/i18n';
import { GoToPage, PageNumbers } from '@/shared/ui/DataList/PageNumbers';
import classes from './PanelPager.module.css';

interface PanelPagerProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Numbers of the pages, and a page to go to. */
export function PanelPager({ page, pages, onPage }: PanelPagerProps) {
  const t = useT();
  if (pages < 2) return null;
  return (
    <div className={classes.root}>
      <PageNumbers page={page} pages={pages} onPage={onPage} />
      <GoToPage
        key={page}
        id="notices-goto"
        label={t('notifications.goto')}
        placeholder={`1 – ${pages}`}
        pages={pages}
        onPage={onPage}
        className={classes.goto}
      />
    </div>
  );
}
