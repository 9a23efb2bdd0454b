import { Modal } from '@mantine/core';
import type { MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { confirm } from '@/shared/ui/dialogs';
import { MeasurePanel } from './MeasurePanel';
import { MeasurePicture } from './MeasurePicture';
import classes from './measure.module.css';
import { useMeasuring } from './use-measuring';

interface MeasureModalProps {
  /** The picture; null while nothing is measured. */
  item: MediaItem | null;
  /** What the picture is called. */
  title: string;
  onClose: () => void;
}

function Measure({ item, title, onClose }: MeasureModalProps & { item: MediaItem }) {
  const t = useT();
  const measuring = useMeasuring(item, onClose);
  const leave = async () => {
    const asked = {
      title: t('media.measureLeave'),
      text: t('media.measureLeaveText'),
      confirm: t('media.measureLeaveGo'),
    };
    if (!measuring.isChanged || (await confirm({ ...asked, danger: true }))) onClose();
  };
  return (
    <Modal.Root opened onClose={() => void leave()} fullScreen>
      <Modal.Content aria-label={t('media.measureTitle')} radius={0} bd="0">
        <Modal.Body p={0} h="100dvh" className={classes.root}>
          <MeasurePicture src={item.preview ?? item.url} label={title} measuring={measuring} />
          <MeasurePanel measuring={measuring} onClose={() => void leave()} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Lengths and areas on a picture, by something of known size in it, over the whole window. */
export function MeasureModal({ item, ...rest }: MeasureModalProps) {
  return item && <Measure key={item._id} item={item} {...rest} />;
}
