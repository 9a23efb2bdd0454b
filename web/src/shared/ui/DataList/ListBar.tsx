import { Button, Drawer, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import { ColumnHelp } from './ColumnHelp';
import type { DataListProps } from './DataList';
import classes from './DataList.module.css';
import { ExportButton } from './ExportButton';
import { ColumnMenu, FilterMenu, SearchBox } from './ListTools';
import type { ListColumn } from './types';
import type { useColumns } from './use-columns';

/** Of fewer columns none is worth hiding. */
const MENU_FROM = 3;

type Tools<R> = Pick<DataListProps<R>, 'title' | 'list' | 'search' | 'range' | 'filters' | 'onExport' | 'columns'>;

export function WideTools<R>(props: Tools<R> & { shown: ReturnType<typeof useColumns<R>> }) {
  const { list, search, range, filters = [], onExport, columns, shown } = props;
  return (
    <div className={classes.tools}>
      {search && <SearchBox label={search} value={list.search} onSearch={list.setSearch} />}
      {range}
      {filters.map((filter) => (
        <FilterMenu
          key={filter.name}
          filter={filter}
          value={list.filters[filter.name]}
          onChange={(value) => list.setFilter(filter.name, value)}
        />
      ))}
      <div className={classes.end}>
        <ColumnHelp columns={shown.shown} />
        {columns.length > MENU_FROM && <ColumnMenu columns={columns} hidden={shown.hidden} onToggle={shown.toggle} />}
        {onExport && <ExportButton onExport={onExport} />}
      </div>
    </div>
  );
}

/** On a narrow screen the filters, the sort and the export move into one sheet, with the phone's own pickers. */
export function NarrowTools<R>({ list, search, filters = [], onExport, columns }: Tools<R>) {
  const t = useT();
  const [opened, sheet] = useDisclosure(false);
  const chosen = filters.filter(({ name }) => list.filters[name]).length;
  const sortable = columns.filter((column) => column.sort);
  const field = (column: ListColumn<R>) => (typeof column.sort === 'string' ? column.sort : column.key);
  const box = search && <SearchBox label={search} value={list.search} onSearch={list.setSearch} />;
  // A sheet with nothing but the export in it would be one tap too many.
  if (filters.length === 0 && sortable.length === 0)
    return (
      <div className={classes.tools}>
        {box}
        {onExport && <ExportButton onExport={onExport} />}
      </div>
    );
  return (
    <div className={classes.tools}>
      {box}
      <Button
        variant="default"
        className={chosen ? classes.sheetOn : undefined}
        leftSection={<Icon name="filter" size={16} />}
        onClick={sheet.open}
      >
        {t('common.filters')}
        {chosen > 0 && <span className={`${classes.columnCount} num`}>{chosen}</span>}
      </Button>
      <Drawer
        opened={opened}
        onClose={sheet.close}
        position="bottom"
        size="auto"
        title={t('common.filters')}
        classNames={{ content: classes.sheetContent }}
      >
        <div className={classes.sheet}>
          {filters.map((filter) => (
            <NativeSelect
              key={filter.name}
              label={filter.label}
              rightSection={<Icon name="down" size={16} />}
              data={[{ value: '', label: t('common.all') }, ...filter.options]}
              value={list.filters[filter.name] ?? ''}
              onChange={(event) => list.setFilter(filter.name, event.currentTarget.value || null)}
            />
          ))}
          {sortable.length > 0 && (
            <NativeSelect
              label={t('common.sortBy')}
              rightSection={<Icon name="down" size={16} />}
              data={sortable.flatMap((column) => [
                { value: field(column), label: `${column.title} · ${t('common.sortAscending')}` },
                { value: `-${field(column)}`, label: `${column.title} · ${t('common.sortDescending')}` },
              ])}
              value={list.sort}
              onChange={(event) => list.setSort(event.currentTarget.value)}
            />
          )}
          {onExport && <ExportButton onExport={onExport} />}
          <Button size="md" onClick={sheet.close}>
            {t('common.done')}
          </Button>
        </div>
      </Drawer>
    </div>
  );
}
