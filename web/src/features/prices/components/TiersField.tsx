import { Button, Input, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import type { TierInput, TierProblem } from '../model';
import classes from './prices.module.css';

/** More than anybody reads. */
const TIERS_MAX = 20;

interface TiersFieldProps {
  tiers: TierInput[];
  problems: (TierProblem | null)[];
  /** What the server says of all of them. */
  refused: string | null;
  onChange: (tiers: TierInput[]) => void;
}

/** The discounts by number of connections, one row each. */
export function TiersField({ tiers, problems, refused, onChange }: TiersFieldProps) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const set = (id: number, change: Partial<TierInput>) =>
    onChange(tiers.map((tier) => (tier.id === id ? { ...tier, ...change } : tier)));
  const add = () => {
    onChange([...tiers, { id: Math.max(-1, ...tiers.map(({ id }) => id)) + 1, to: '', percent: '' }]);
    requestAnimationFrame(() => list.current?.lastElementChild?.querySelector('input')?.focus());
  };
  return (
    <fieldset className={classes.tiers}>
      <legend>{t('prices.discounts')}</legend>
      <p className={classes.help}>{t('prices.tiersHelp')}</p>
      <ul ref={list}>
        {tiers.map((tier, place) => {
          const problem = problems[place] ?? null;
          const text = problem && t(`prices.tier_${problem}`);
          const errorId = `tier-${tier.id}-error`;
          const ofTo = problem === 'to' || problem === 'rising';
          return (
            <li key={tier.id}>
              <div className={classes.tier}>
                <TextInput
                  aria-label={t('prices.tierTo', { n: place + 1 })}
                  classNames={{ input: 'num' }}
                  inputMode="numeric"
                  maxLength={9}
                  autoComplete="off"
                  leftSection={<span className={classes.unit}>{t('prices.tierUpTo')}</span>}
                  leftSectionWidth={64}
                  rightSection={<span className={classes.unit}>{t('prices.tierUnit')}</span>}
                  rightSectionWidth={56}
                  value={tier.to}
                  error={ofTo && problem !== null}
                  attributes={{ input: { 'aria-describedby': ofTo ? errorId : undefined } }}
                  onChange={(event) => set(tier.id, { to: event.currentTarget.value })}
                />
                <TextInput
                  aria-label={t('prices.tierPercent', { n: place + 1 })}
                  classNames={{ input: 'num' }}
                  inputMode="decimal"
                  maxLength={6}
                  autoComplete="off"
                  rightSection={<span className={classes.unit}>%</span>}
                  value={tier.percent}
                  error={!ofTo && problem !== null}
                  attributes={{ input: { 'aria-describedby': !ofTo && problem ? errorId : undefined } }}
                  onChange={(event) => set(tier.id, { percent: event.currentTarget.value })}
                />
                <IconAction
                  icon="trash"
                  label={t('prices.tierRemove', { n: place + 1 })}
                  onClick={() => onChange(tiers.filter(({ id }) => id !== tier.id))}
                />
              </div>
              {text && (
                <Input.Error id={errorId} role="alert">
                  {text}
                </Input.Error>
              )}
            </li>
          );
        })}
      </ul>
      {refused && <Input.Error role="alert">{refused}</Input.Error>}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={16} />}
          disabled={tiers.length >= TIERS_MAX}
          onClick={add}
        >
          {t('prices.tierAdd')}
        </Button>
      </div>
    </fieldset>
  );
}
