import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { VersionedPage } from '@/shared/ui/Versioned';
import { listPrices, type PriceVersion } from '../api';
import { Calculator } from '../components/Calculator';
import { PriceEditor } from '../components/PriceEditor';
import { Versions } from '../components/Versions';

/** `/prices`: the versions of the price table, a new one, and a calculator to try them. */
export function PricesPage() {
  const t = useT();
  const [tab, setTab] = useListTab(['versions', 'calculator'] as const);
  // A new version begins as a copy of this one; null beside `true`: from nothing.
  const [making, setMaking] = useState<{ base: PriceVersion | null } | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const prices = useQuery(listPrices);
  const title = t('prices.title');
  usePage({ title });
  const general = prices.data?.find(({ inForce, companyId }) => inForce && !companyId) ?? null;

  if (making) {
    return (
      <PriceEditor
        base={making.base}
        onClose={() => setMaking(null)}
        onPublished={({ _id }) => {
          setMaking(null);
          setTab('versions');
          setChosen(_id);
        }}
      />
    );
  }
  return (
    <VersionedPage
      title={title}
      lead={tab === 'versions' ? t('prices.lead') : t('prices.calculatorLead')}
      action={
        tab === 'versions' && (
          <Button
            leftSection={<Icon name="plus" />}
            disabled={!prices.data}
            onClick={() => setMaking({ base: general ?? prices.data?.[0] ?? null })}
          >
            {t('prices.new')}
          </Button>
        )
      }
    >
      <div>
        <Segmented
          label={title}
          value={tab}
          onChange={setTab}
          options={[
            { value: 'versions', label: t('prices.versions'), icon: 'list' },
            { value: 'calculator', label: t('prices.calculator'), icon: 'euro' },
          ]}
        />
      </div>
      {prices.error && !prices.data ? (
        <LoadFailed title={t('prices.loadFailed')} error={prices.error} onRetry={() => void prices.refetch()} />
      ) : !prices.data ? (
        <Skeleton h={360} radius="lg" />
      ) : tab === 'calculator' ? (
        <Calculator versions={prices.data} />
      ) : prices.data.length === 0 ? (
        <StateView
          icon="euro"
          title={t('prices.empty')}
          text={t('prices.emptyText')}
          action={{ label: t('prices.new'), icon: 'plus', run: () => setMaking({ base: null }) }}
        />
      ) : (
        <Versions versions={prices.data} chosen={chosen} onChoose={setChosen} onCopy={(base) => setMaking({ base })} />
      )}
    </VersionedPage>
  );
}
