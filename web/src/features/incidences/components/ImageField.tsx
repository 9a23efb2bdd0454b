import { Button, Input } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { limits } from '@/api/generated/limits';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { filesOf, IMAGE_MEGABYTES, IMAGE_TYPES, type ImageProblem, joined, readImages } from '../images';
import type { NewImage } from '../types';
import classes from './ImageField.module.css';

interface ImageFieldProps {
  images: readonly NewImage[];
  onChange: (change: (before: readonly NewImage[]) => NewImage[]) => void;
}

/** Images by drop, paste, from the phone's camera or from files, each with a small picture of it. */
export function ImageField({ images, onChange }: ImageFieldProps) {
  const t = useT();
  const touch = useMediaQuery('(pointer: coarse)') ?? false;
  const [over, setOver] = useState(false);
  const [problems, setProblems] = useState<ImageProblem[]>([]);
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const full = images.length >= limits.incidenceFilesMax;

  const add = async (chosen: readonly File[]) => {
    if (chosen.length === 0) return;
    const { images: read, problems: found } = await readImages(chosen);
    const many = images.length + read.length > limits.incidenceFilesMax;
    setProblems(many && !found.includes('many') ? [...found, 'many'] : found);
    onChange((before) => joined(before, read));
  };
  usePaste(add);

  const input = (ref: typeof files, capture: boolean, label: string) => (
    <input
      ref={ref}
      type="file"
      hidden
      aria-label={label}
      accept={IMAGE_TYPES.join(',')}
      multiple={!capture}
      capture={capture ? 'environment' : undefined}
      onChange={(event) => {
        void add([...(event.currentTarget.files ?? [])]);
        // The same file may be chosen again.
        event.currentTarget.value = '';
      }}
    />
  );
  return (
    <fieldset
      className={classes.root}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        void add(filesOf(event.dataTransfer));
      }}
    >
      <legend className={classes.label}>
        {t('incidences.attach')} <span className={classes.optional}>{t('common.optional')}</span>
      </legend>
      <div className={classes.drop}>
        <Icon name="img" />
        <p className={classes.hint}>
          {touch ? '' : `${t('incidences.dropHint')} `}
          {t('incidences.dropLimits', { max: limits.incidenceFilesMax, megabytes: IMAGE_MEGABYTES })}
        </p>
        <div className={classes.buttons}>
          {touch && (
            <Button
              variant="default"
              size="xs"
              disabled={full}
              leftSection={<Icon name="cam" size={16} />}
              onClick={() => camera.current?.click()}
            >
              {t('incidences.takePhoto')}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            disabled={full}
            leftSection={<Icon name="clip" size={16} />}
            aria-describedby={problems.length > 0 ? errorId : undefined}
            onClick={() => files.current?.click()}
          >
            {t('incidences.chooseImages')}
          </Button>
        </div>
        {input(files, false, t('incidences.chooseImages'))}
        {input(camera, true, t('incidences.takePhoto'))}
      </div>
      {problems.length > 0 && (
        <Input.Error id={errorId} role="alert">
          {problems.map((problem) => problemText(t, problem)).join(' ')}
        </Input.Error>
      )}
      {images.length > 0 && (
        <ul className={classes.thumbs}>
          {images.map((image, index) => (
            <li key={image.src.slice(-64) + String(index)}>
              <img src={image.src} alt={image.name} />
              <button
                type="button"
                className={classes.remove}
                aria-label={t('incidences.removeImage', { name: image.name })}
                title={t('incidences.removeImage', { name: image.name })}
                onClick={() => {
                  setProblems([]);
                  onChange((before) => before.filter((_one, place) => place !== index));
                }}
              >
                <Icon name="x" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

const problemText = (t: ReturnType<typeof useT>, problem: ImageProblem): string =>
  ({
    many: t('incidences.imagesMany', { max: limits.incidenceFilesMax }),
    large: t('incidences.imageLarge', { max: IMAGE_MEGABYTES }),
    kind: t('incidences.imageKind'),
    read: t('incidences.imageRead'),
  })[problem];

/** Images pasted anywhere while the field is on the page; a pasted text goes where it was going. */
function usePaste(add: (files: File[]) => Promise<void>): void {
  const latest = useRef(add);
  useEffect(() => {
    latest.current = add;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      void latest.current(files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
