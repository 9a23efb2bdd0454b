import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useT } from '@/shared/i18n';
import { IconAction } from '../IconAction';
import classes from './ColumnHelp.module.css';
import type { ListColumn } from './types';

/** What the columns mean, in one place instead of a sign in each heading; nothing when they explain themselves. */
export function ColumnHelp<R>({ columns }: { columns: ListColumn<R>[] }) {
  const t = useT();
  const [opened, { open, close }] = useDisclosure(false);
  const explained = columns.filter(({ help }) => help);
  if (explained.length === 0) return null;
  return (
    <>
      <IconAction icon="info" label={t('common.columnsHelp')} onClick={open} />
      <Modal opened={opened} onClose={close} title={t('common.columnsHelp')} size="lg">
        <dl className={classes.list}>
          {explained.map(({ key, title, help }) => (
            <div key={key}>
              <dt>{title}</dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
      </Modal>
    </>
  );
}
