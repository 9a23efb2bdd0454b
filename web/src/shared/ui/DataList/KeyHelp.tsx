import { Kbd, Modal } from '@mantine/core';
import { useT } from '@/shared/i18n';
import classes from './KeyHelp.module.css';

interface KeyHelpProps {
  opened: boolean;
  onClose: () => void;
  /** What this list's own letters do. */
  own: { key: string; label: string }[];
  /** Whether rows can be ticked. */
  ticks: boolean;
  searches: boolean;
}

/** The keys of a list, asked for by `?`. */
export function KeyHelp({ opened, onClose, own, ticks, searches }: KeyHelpProps) {
  const t = useT();
  const keys = [
    { key: 'J', label: t('common.keyNext') },
    { key: 'K', label: t('common.keyPrevious') },
    { key: 'Enter', label: t('common.keyOpen') },
    ...own.map(({ key, label }) => ({ key: key.toUpperCase(), label })),
    ...(ticks ? [{ key: 'X', label: t('common.keyTick') }] : []),
    ...(searches ? [{ key: '/', label: t('common.search') }] : []),
    { key: 'Ctrl K', label: t('common.keyFinder') },
    { key: '?', label: t('common.keyHelp') },
  ];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('common.keys')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <dl className={classes.keys}>
        {keys.map(({ key, label }) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
