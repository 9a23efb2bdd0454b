import { Button, CloseButton, Menu, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Fragment, useEffect, useRef, useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import classes from './DataList.module.css';
import type { ListColumn, ListFilter } from './types';

/** Milliseconds without a key before a search is sent. */
const PAUSE_MS = 300;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (search: string) => void;
}

/** Searches while typing; Enter does not wait. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const t = useT();
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = (next: string) => {
    sent.current = next.trim();
    onSearch(sent.current);
  };
  const later = useDebouncedCallback(send, PAUSE_MS);
  // Cleared or navigated from outside: show that, never overwrite what is being typed.
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  const change = (next: string) => {
    setText(next);
    later(next);
  };
  const clear = () => {
    change('');
    send('');
  };
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={100}
      leftSection={<Icon name="search" size={16} />}
      rightSection={text && <CloseButton size="sm" aria-label={t('common.clearSearch')} onClick={clear} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send(text);
      }}
    />
  );
}

/** From so many choices on a menu can be searched. */
const SEARCHED_FROM = 11;

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

interface FilterMenuProps {
  filter: ListFilter;
  value: string | undefined;
  onChange: (value: string | null) => void;
}

/** One filter; chosen, it turns sea-tinted and carries its ×. */
export function FilterMenu({ filter, value, onChange }: FilterMenuProps) {
  const t = useT();
  const chosen = filter.options.find((option) => option.value === value);
  const [wanted, setWanted] = useState('');
  const searched = filter.options.length >= SEARCHED_FROM;
  const shown = filter.options.filter(({ label }) => folded(label).includes(folded(wanted.trim())));
  const choices = wanted.trim() ? shown : [{ value: '', label: t('common.all') }, ...shown];
  return (
    <div className={classes.filter} data-on={chosen ? true : undefined}>
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <button type="button" className={classes.filterButton}>
            <span className={classes.filterName}>{filter.label}</span>
            <span className={classes.filterValue}>{chosen?.label ?? t('common.all')}</span>
            {!chosen && <Icon name="down" size={16} />}
          </button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {searched && (
            <Menu.Search
              className={classes.menuSearch}
              type="search"
              size="sm"
              aria-label={`${t('common.search')}: ${filter.label}`}
              placeholder={t('common.search')}
              leftSection={<Icon name="search" size={16} />}
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
          )}
          {choices.length === 0 && <div className={classes.menuNothing}>{t('common.noResults')}</div>}
          <Menu.RadioGroup value={chosen?.value ?? ''} onChange={(next) => onChange(next || null)}>
            {choices.map((option) => (
              <Menu.RadioItem key={option.value} value={option.value} closeMenuOnClick>
                {option.label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <button
          type="button"
          className={classes.filterClear}
          aria-label={t('common.removeFilter', { name: filter.label })}
          onClick={() => onChange(null)}
        >
          <Icon name="x" size={16} />
        </button>
      )}
    </div>
  );
}

interface ColumnMenuProps<R> {
  columns: ListColumn<R>[];
  hidden: string[];
  onToggle: (key: string) => void;
}

export function ColumnMenu<R>({ columns, hidden, onToggle }: ColumnMenuProps<R>) {
  const t = useT();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="cols" size={16} />}>
          {t('common.columns')}
          <span className={`${classes.columnCount} num`}>
            {columns.length - hidden.length}/{columns.length}
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={`${classes.menu} ${classes.columnMenu}`}>
        {columns.map((column, at) => (
          <Fragment key={column.key}>
            {column.group && column.group !== columns[at - 1]?.group && (
              <Menu.Label className={classes.columnGroup}>{column.group}</Menu.Label>
            )}
            <Menu.CheckboxItem
              checked={!hidden.includes(column.key)}
              disabled={column.fixed}
              onChange={() => onToggle(column.key)}
            >
              {column.title}
            </Menu.CheckboxItem>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
