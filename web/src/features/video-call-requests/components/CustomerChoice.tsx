import { Input, Skeleton, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorText, type T, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { type Customer, inOrder, matching } from '../model';
import classes from './CustomerChoice.module.css';

interface CustomerChoiceProps {
  insurer: string;
  /** Where the car is: those of the same region come first among equals. */
  region: string;
  customers: UseQueryResult<Customer[]>;
  value: string;
  error?: string;
  onChange: (customer: Customer) => void;
}

/** From here on a search makes sense. */
const MANY = 7;

/** The customers of an insurer, each with its region, whether somebody is free, and how many wait. */
export function CustomerChoice({ insurer, region, customers, value, error, onChange }: CustomerChoiceProps) {
  const t = useT();
  const id = useId();
  const [search, setSearch] = useState('');
  const all = customers.data ?? [];
  const shown = inOrder(matching(all, search), region);
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <span className={classes.label} id={id}>
          {t('videocallrequests.customer')}
        </span>
        {all.length >= MANY && (
          <TextInput
            size="xs"
            className={classes.search}
            aria-label={t('videocallrequests.customerSearch')}
            placeholder={t('videocallrequests.customerSearch')}
            leftSection={<Icon name="search" size={16} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
      </div>
      <div
        className={classes.list}
        role="radiogroup"
        tabIndex={-1}
        aria-labelledby={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-busy={customers.isLoading}
      >
        {shown.map((customer) => (
          <Option key={customer._id} {...{ t, name: id, customer, chosen: customer._id === value, onChange }} />
        ))}
        <Instead t={t} insurer={insurer} customers={customers} none={shown.length === 0} searched={search !== ''} />
      </div>
      {error && (
        <Input.Error id={`${id}-error`} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  );
}

interface InsteadProps {
  t: T;
  insurer: string;
  customers: UseQueryResult<Customer[]>;
  none: boolean;
  searched: boolean;
}

/** What stands where there is nobody to choose. */
function Instead({ t, insurer, customers, none, searched }: InsteadProps) {
  if (!insurer) return <p className={classes.quiet}>{t('videocallrequests.customerHint')}</p>;
  if (customers.isLoading) return [0, 1, 2].map((row) => <Skeleton key={row} height={56} radius="md" />);
  if (customers.isError) {
    const action = { label: t('common.retry'), run: () => void customers.refetch(), icon: 'refresh' } as const;
    const text = errorText(t, customers.error);
    return (
      <StateView icon="warn" tone="bad" title={t('videocallrequests.customersFailed')} text={text} action={action} />
    );
  }
  if (!none) return null;
  if (searched) return <p className={classes.quiet}>{t('common.noMatch')}</p>;
  return (
    <Note icon="bld" title={t('videocallrequests.customersNone')} text={t('videocallrequests.customersNoneText')} />
  );
}

interface OptionProps {
  t: T;
  name: string;
  customer: Customer;
  chosen: boolean;
  onChange: (customer: Customer) => void;
}

function Option({ t, name, customer, chosen, onChange }: OptionProps) {
  const { state, waiting } = customer;
  const words = {
    free: { tag: t('videocallrequests.free'), tone: 'ok', icon: 'check', text: t('videocallrequests.freeText') },
    call: { tag: t('videocallrequests.call'), tone: 'quiet', icon: 'video', text: t('videocallrequests.callText') },
    away: { tag: t('videocallrequests.away'), tone: 'quiet', icon: 'clock', text: t('videocallrequests.awayText') },
  } as const;
  const { tag, tone, icon, text } = words[state];
  return (
    <label className={classes.option} data-chosen={chosen || undefined}>
      <input type="radio" name={name} checked={chosen} onChange={() => onChange(customer)} />
      <span className={classes.who}>
        <b>{customer.company}</b>
        <span>
          {customer.region && `${customer.region} · `}
          {text}
        </span>
      </span>
      <span className={classes.tags}>
        {waiting > 0 && (
          <Tag tone="warn" icon="users">
            {t('videocallrequests.peopleWaiting', { count: waiting })}
          </Tag>
        )}
        <Tag tone={tone} icon={icon}>
          {tag}
        </Tag>
      </span>
    </label>
  );
}
