import { useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { Segmented } from '@/shared/ui/Segmented';
import { Campaigns } from '../components/Campaigns';
import { Suppressions } from '../components/Suppressions';

/** `/broadcast`: advertising to those who said yes, and who must get none. */
export function BroadcastPage() {
  const t = useT();
  const [tab, setTab] = useListTab(['campaigns', 'suppressions'] as const);
  const title = t('marketing.broadcastTitle');
  usePage({ title });
  const tabs = (
    <div>
      <Segmented
        label={title}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'campaigns', label: t('marketing.campaigns'), icon: 'mail' },
          { value: 'suppressions', label: t('marketing.suppressions'), icon: 'mute' },
        ]}
      />
    </div>
  );
  return tab === 'campaigns' ? <Campaigns tabs={tabs} /> : <Suppressions tabs={tabs} />;
}
