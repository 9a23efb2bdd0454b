import { Button, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { languageName } from '@/shared/i18n/languages';
import { shortDate } from '@/shared/lib/dates';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { kindName, kindOf } from '@/shared/terms/kinds';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { MasterDetail } from '@/shared/ui/MasterDetail';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { VersionedPage } from '@/shared/ui/Versioned';
import { type LegalVersion, listLegals } from '../versions/api';
import { LegalEditor, type Making } from '../versions/LegalEditor';
import { before, keyOf, stateOf } from '../versions/model';
import { VersionDetail } from '../versions/VersionDetail';

const TABS = ['general', 'particular', 'notice'] as const;
const typeOf = (tab: (typeof TABS)[number]) => TABS.indexOf(tab) + 1;

/** `/legals`: the legal texts by kind, version and language, what changed, how many accepted. */
export function LegalsPage() {
  const t = useT();
  const [tab, setTab] = useListTab(TABS);
  const [making, setMaking] = useState<Making | null>(null);
  const legals = useQuery(listLegals);
  const type = typeOf(tab);
  const title = t('legal.title');
  usePage({ title });
  if (making) return <LegalEditor making={making} onClose={() => setMaking(null)} />;
  const versions = legals.data?.filter((one) => one.type === type) ?? [];
  const newest = versions[0] ?? null;
  // The client's notice comes with the program; its wording is the platform's.
  const known = [1, 2, 3].filter((kind) => kind < 3 || legals.data?.some((one) => one.type === kind));
  return (
    <VersionedPage
      title={title}
      lead={type === 3 ? t('legal.leadNotice') : t('legal.lead')}
      action={
        type !== 3 && (
          <Button
            leftSection={<Icon name="plus" />}
            disabled={!legals.data}
            onClick={() => setMaking({ type, base: newest })}
          >
            {t('legal.new')}
          </Button>
        )
      }
    >
      <div>
        <Segmented
          label={title}
          value={tab}
          onChange={setTab}
          options={known.map((kind) => ({
            value: TABS[kind - 1] ?? 'general',
            label: kindOf(t, kind) ?? kindName(t, kind),
          }))}
        />
      </div>
      {legals.error && !legals.data ? (
        <LoadFailed title={t('companies.legalLoadError')} error={legals.error} onRetry={() => void legals.refetch()} />
      ) : !legals.data ? (
        <Skeleton h={360} radius="lg" />
      ) : versions.length === 0 ? (
        <StateView
          icon="doc"
          title={t('legal.empty')}
          text={t('legal.emptyText')}
          action={{ label: t('legal.new'), icon: 'plus', run: () => setMaking({ type, base: null }) }}
        />
      ) : (
        <Versions key={type} versions={versions} onMake={setMaking} />
      )}
    </VersionedPage>
  );
}

function Versions({ versions, onMake }: { versions: LegalVersion[]; onMake: (making: Making) => void }) {
  const t = useT();
  const language = useLanguage();
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  const [chosen, setChosen] = useState<string | null>(null);
  const shown =
    versions.find((one) => keyOf(one) === chosen) ??
    (narrow ? undefined : (versions.find(({ inForce }) => inForce) ?? versions[0]));
  return (
    <MasterDetail
      label={t('legal.versions')}
      chosen={shown ? keyOf(shown) : null}
      onChoose={setChosen}
      items={versions.map((one) => ({
        key: keyOf(one),
        title: t('legal.versionN', { version: one.version }),
        tag: <StateTag version={one} />,
        facts: [
          shortDate(one.inForceFrom, language),
          one.texts.map((text) => languageName(text.language)).join(', '),
          ...(one.type === 3 ? [] : [t('legal.acceptedBy', { count: one.accepted })]),
        ].join(' · '),
      }))}
    >
      {shown && (
        <VersionDetail
          key={keyOf(shown)}
          version={shown}
          previous={before(versions, shown)}
          onAddLanguage={(missing) => onMake({ type: shown.type, base: shown, language: missing })}
        />
      )}
    </MasterDetail>
  );
}

function StateTag({ version }: { version: LegalVersion }) {
  const t = useT();
  const state = stateOf(version, Date.now());
  if (state === 'past') return <Tag>{t('legal.past')}</Tag>;
  return state === 'inForce' ? (
    <Tag tone="ok" icon="check">
      {t('legal.inForce')}
    </Tag>
  ) : (
    <Tag tone="acc" icon="clock">
      {t('legal.scheduled')}
    </Tag>
  );
}
