export { DataList, type DataListProps } from './DataList';
export type {
  EmptyState,
  ListColumn,
  ListControls,
  ListFilter,
  ListSource,
  ListState,
  NarrowRow,
  RowKey,
} from './types';
