import { useLanguage, useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { Segmented } from '@/shared/ui/Segmented';
import { mediaReport, messageReport, trackReport } from '../columns';
import { CustomerReport } from '../components/CustomerReport';
import { RangeReport } from '../components/RangeReport';
import { TABS } from '../model';

/**
 * `/conference-reports`: messages, steps and files of all conferences by range of days, and the conferences of each
 * customer. Administrators.
 */
export function ReportsPage() {
  const t = useT();
  const language = useLanguage();
  const [tab, show] = useListTab(TABS);
  const title = t('reports.title');
  usePage({ title });
  const above = (
    <div>
      <Segmented
        label={title}
        value={tab}
        onChange={show}
        options={TABS.map((name) => ({ value: name, label: t(`reports.${name}`) }))}
      />
    </div>
  );
  if (tab === 'messages') return <RangeReport key={tab} tab={tab} above={above} kind={messageReport(t, language)} />;
  if (tab === 'tracks') return <RangeReport key={tab} tab={tab} above={above} kind={trackReport(t, language)} />;
  if (tab === 'media') return <RangeReport key={tab} tab={tab} above={above} kind={mediaReport(t, language)} />;
  return <CustomerReport above={above} />;
}
