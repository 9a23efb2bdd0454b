import { useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { Segmented } from '@/shared/ui/Segmented';
import { DueTab } from '../components/DueTab';
import { FilesTab } from '../components/FilesTab';
import { MandatesTab } from '../components/MandatesTab';
import { RemittancesTab } from '../components/RemittancesTab';

const TABS = ['due', 'made', 'files', 'mandates'] as const;

/**
 * `/remittances`, the administrator's: what is due and the file of it, what became of each file, what the bank said, and
 * the mandates behind all that.
 */
export function RemittancesPage() {
  const t = useT();
  const [tab, show] = useListTab(TABS);
  usePage({ title: t('sepa.title') });
  const tabs = (
    <div>
      <Segmented
        label={t('sepa.title')}
        value={tab}
        onChange={show}
        options={TABS.map((name) => ({ value: name, label: t(`sepa.tab_${name}`) }))}
      />
    </div>
  );
  if (tab === 'made') return <RemittancesTab above={tabs} />;
  if (tab === 'files') return <FilesTab above={tabs} />;
  if (tab === 'mandates') return <MandatesTab above={tabs} />;
  return <DueTab above={tabs} />;
}
