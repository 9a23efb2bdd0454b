import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import type { IncidenceImage } from '../types';
import classes from './drawer.module.css';

/** The images of one message, small; a press shows one large. */
export function Pictures({ images }: { images: readonly IncidenceImage[] }) {
  const t = useT();
  const [shown, setShown] = useState<IncidenceImage | null>(null);
  const [opened, setOpened] = useState(false);
  if (images.length === 0) return null;
  return (
    <>
      <ul className={classes.pictures}>
        {images.map((image) => (
          <li key={image._id}>
            <button
              type="button"
              aria-label={t('incidences.showImage', { name: image.name })}
              onClick={() => {
                setShown(image);
                setOpened(true);
              }}
            >
              <img src={image.src} alt="" loading="lazy" width={image.width} height={image.height} />
            </button>
          </li>
        ))}
      </ul>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        size="auto"
        centered
        title={shown?.name}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {shown && <img className={classes.large} src={shown.src} alt={shown.name} />}
      </Modal>
    </>
  );
}
