import { Input, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Prefix } from '@/api/types';
import { useT } from '@/shared/i18n';
import { phonePrefixes } from '@/shared/language/api';
import { Icon } from '@/shared/ui/Icon';
import classes from './PhoneField.module.css';

/** Spain is there even when the list has not come (default country es). */
const SPAIN: Prefix = { code: 'ES', name: 'España', prefix: '+34', flagUrl: '/flags/es.svg' };

interface PhoneFieldProps {
  label: ReactNode;
  /** Of the number's input. */
  name?: string;
  disabled?: boolean;
  /** Shown, not changed. */
  readOnly?: boolean;
  description?: ReactNode;
  /** ISO 3166-1, upper case. */
  country: string;
  onCountry: (country: string) => void;
  phone: string;
  onPhone: (phone: string) => void;
  onBlur?: () => void;
  error?: ReactNode;
}

const plus = (prefix: string) => (prefix.startsWith('+') ? prefix : `+${prefix}`);

/** A prefix of the server's list and a number, as one control. */
export function PhoneField(props: PhoneFieldProps) {
  const { label, name = 'phone', disabled, readOnly, country, onCountry, phone, onPhone, onBlur, error } = props;
  const t = useT();
  const id = useId();
  const { data } = useQuery(phonePrefixes());
  const prefixes = data && data.length > 0 ? data : [SPAIN];
  const byCode = new Map(prefixes.map((entry) => [entry.code.toUpperCase(), entry]));
  return (
    <Input.Wrapper
      label={label}
      error={error}
      description={props.description}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      id={id}
    >
      <div className={classes.box} data-field data-error={error ? true : undefined}>
        <Select
          aria-label={t('videocall.prefix')}
          variant="unstyled"
          disabled={disabled}
          readOnly={readOnly}
          searchable={!readOnly}
          allowDeselect={false}
          selectFirstOptionOnChange
          className={classes.prefix}
          classNames={{ input: `${classes.prefixInput} num` }}
          comboboxProps={{ width: 260, position: 'bottom-start' }}
          rightSection={<Icon name="down" size={14} />}
          rightSectionWidth={24}
          rightSectionPointerEvents="none"
          data={[...byCode].map(([code, entry]) => ({ value: code, label: plus(entry.prefix) }))}
          value={country}
          onChange={(code) => code && onCountry(code)}
          filter={({ options, search }) => {
            const wanted = search.trim().toLowerCase();
            return options.filter((option) => {
              const entry = 'value' in option ? byCode.get(option.value) : undefined;
              return `${entry?.name} ${plus(entry?.prefix ?? '')} ${entry?.code}`.toLowerCase().includes(wanted);
            });
          }}
          renderOption={({ option }) => (
            <span className={classes.option}>
              <span className={classes.country}>{byCode.get(option.value)?.name}</span>
              <span className="num">{option.label}</span>
            </span>
          )}
        />
        <Input
          variant="unstyled"
          className={classes.number}
          classNames={{ input: `${classes.numberInput} num` }}
          id={id}
          name={name}
          disabled={disabled}
          readOnly={readOnly}
          rightSection={readOnly ? <Icon name="lock" size={16} /> : undefined}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          maxLength={24}
          error={Boolean(error)}
          value={phone}
          onChange={(event) => onPhone(event.currentTarget.value)}
          onBlur={onBlur}
        />
      </div>
    </Input.Wrapper>
  );
}
