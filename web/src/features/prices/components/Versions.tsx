import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { longDate, shortDate } from '@/shared/lib/dates';
import { Icon } from '@/shared/ui/Icon';
import { MasterDetail } from '@/shared/ui/MasterDetail';
import { PriceTable } from '@/shared/ui/PriceTable';
import { Tag } from '@/shared/ui/Tag';
import { VersionDetails } from '@/shared/ui/Versioned';
import type { PriceVersion } from '../api';
import { stateOf } from '../model';
import classes from './prices.module.css';

interface VersionsProps {
  versions: PriceVersion[];
  chosen: string | null;
  onChoose: (id: string | null) => void;
  onCopy: (version: PriceVersion) => void;
}

/** Every version with its state; of the chosen one the prices, and what changed from the one before. */
export function Versions({ versions, chosen, onChoose, onCopy }: VersionsProps) {
  const t = useT();
  const language = useLanguage();
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  const inForce = versions.find((version) => version.inForce && !version.companyId) ?? versions[0];
  // Beside the list one is always shown; on a phone only what was opened.
  const shown = versions.find(({ _id }) => _id === chosen) ?? (narrow ? undefined : inForce);
  const before =
    shown && versions.slice(versions.indexOf(shown) + 1).find(({ companyId }) => companyId === shown.companyId);
  return (
    <MasterDetail
      label={t('prices.versions')}
      chosen={shown?._id ?? null}
      onChoose={onChoose}
      items={versions.map((version) => ({
        key: version._id,
        title: t('prices.since', { date: shortDate(version.validFrom, language) }),
        tag: <StateTag version={version} />,
        facts: `${audience(t, version)} · ${t('prices.acceptedBy', { count: version.accepted })}`,
      }))}
    >
      {shown && (
        <VersionDetails
          title={t('prices.since', { date: longDate(shown.validFrom, language) })}
          lead={`${audience(t, shown)} · ${t('prices.acceptedBy', { count: shown.accepted })}`}
          action={
            <Button variant="default" leftSection={<Icon name="copy" size={16} />} onClick={() => onCopy(shown)}>
              {t('prices.copy')}
            </Button>
          }
        >
          <PriceTable prices={shown} before={before} />
          {before && (
            <p className={classes.quiet}>{t('prices.comparedWith', { date: longDate(before.validFrom, language) })}</p>
          )}
        </VersionDetails>
      )}
    </MasterDetail>
  );
}

const audience = (t: T, { companyId, company }: PriceVersion) =>
  companyId ? t('prices.onlyFor', { company: company ?? '–' }) : t('prices.forAll');

function StateTag({ version }: { version: PriceVersion }) {
  const t = useT();
  const state = stateOf(version, Date.now());
  if (state === 'past') return <Tag>{t('prices.past')}</Tag>;
  return state === 'inForce' ? (
    <Tag tone="ok" icon="check">
      {t('prices.inForce')}
    </Tag>
  ) : (
    <Tag tone="acc" icon="clock">
      {t('prices.scheduled')}
    </Tag>
  );
}
