import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';
import type { Prefix } from '@/api/types';
import { phonePrefixes } from '@/features/language/api';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './PhoneField.module.css';

/** Spain is there even when the list has not come (SPEC §9: default country es). */
const SPAIN: Prefix = { code: 'ES', name: 'España', prefix: '+34', flagUrl: '/flags/es.svg' };

interface PhoneFieldProps {
  label: string;
  country: string;
  onCountry: (country: string) => void;
  phone: string;
  onPhone: (phone: string) => void;
  onBlur?: () => void;
  error?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

const plus = (prefix: string) => (prefix.startsWith('+') ? prefix : `+${prefix}`);

/** A prefix of the server's list and a number, as one control. */
export function PhoneField(props: PhoneFieldProps) {
  const t = useT();
  const { data } = useQuery(phonePrefixes());
  const prefixes = data && data.length > 0 ? data : [SPAIN];
  const byCode = new Map(prefixes.map((entry) => [entry.code.toUpperCase(), entry]));
  return (
    <TextInput
      label={props.label}
      ref={props.inputRef}
      name="phone"
      type="tel"
      inputMode="tel"
      autoComplete="off"
      maxLength={24}
      classNames={{ input: `${classes.number} num`, section: classes.section }}
      leftSectionWidth={84}
      value={props.phone}
      error={props.error}
      onChange={(event) => props.onPhone(event.currentTarget.value)}
      onBlur={props.onBlur}
      leftSection={
        <Select
          aria-label={t('videocall.prefix')}
          variant="unstyled"
          searchable
          allowDeselect={false}
          selectFirstOptionOnChange
          comboboxProps={{ width: 260, position: 'bottom-start' }}
          classNames={{ root: classes.prefixRoot, input: `${classes.prefix} num` }}
          rightSection={<Icon name="down" size={14} />}
          rightSectionWidth={20}
          rightSectionPointerEvents="none"
          data={[...byCode].map(([code, entry]) => ({ value: code, label: plus(entry.prefix) }))}
          value={props.country}
          onChange={(code) => code && props.onCountry(code)}
          filter={({ options, search }) => {
            const wanted = search.trim().toLowerCase();
            return options.filter((option) => {
              if (!('value' in option)) return false;
              const entry = byCode.get(option.value);
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
      }
    />
  );
}
