import { Kbd, Modal } from '@mantine/core';
import { useT } from '@/shared/i18n';
import classes from './CallKeys.module.css';

interface CallKeysProps {
  opened: boolean;
  onClose: () => void;
}

/** The keys of a call, asked for by `?`. */
export function CallKeys({ opened, onClose }: CallKeysProps) {
  const t = useT();
  const keys = [
    { key: t('call.spaceKey'), label: t('call.photoHd') },
    { key: 'P', label: t('call.pointTitle') },
    { key: 'Esc', label: t('call.pointEnd') },
    { key: 'F', label: t('call.freezeTitle') },
    { key: 'D', label: t('call.drawTitle') },
    { key: 'D A E T N', label: t('call.drawTools') },
    { key: 'M', label: t('media.measureTitle') },
    { key: 'C', label: t('call.drawTone') },
    { key: 'Ctrl Z', label: t('call.drawUndo') },
    { key: `Ctrl ${t('call.keyShift')} Z`, label: t('call.drawRedo') },
    { key: '← ↑ ↓ →', label: t('call.keyMove') },
    { key: '+', label: t('call.keyLarger') },
    { key: '−', label: t('call.keySmaller') },
    { key: '0', label: t('call.keyWhole') },
    { key: t('call.keyDrag'), label: t('call.keyDragMoves') },
    { key: 'S', label: t('call.muteAll') },
    { key: '?', label: t('common.keyHelp') },
  ];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('call.keys')}
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
