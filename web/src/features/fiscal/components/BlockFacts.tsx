import { useLanguage, useT } from '@/shared/i18n';
import { FactList } from '@/shared/ui/FactList';
import { countryName, SPAIN } from '../countries';
import { taxIdLabel } from '../model';
import { FIELDS, type FiscalBlock, type Regime } from '../types';
import classes from './fiscal.module.css';

interface BlockFactsProps {
  block: FiscalBlock;
  regime: Regime;
}

/** How invoices name the company, and its tax. */
export function BlockFacts({ block, regime }: BlockFactsProps) {
  const t = useT();
  const language = useLanguage();
  const abroad = block.country !== SPAIN;
  return (
    <FactList
      className={classes.facts}
      facts={[
        ...FIELDS.map(
          (field) =>
            [field === 'cif' ? taxIdLabel(t, block.country) : t(`companies.${field}`), block[field] || '–'] as const,
        ),
        ...(abroad ? [[t('fiscal.country'), countryName(block.country, language)] as const] : []),
        [t('fiscal.regime'), t(`fiscal.regime_${regime}`)],
      ]}
    />
  );
}
