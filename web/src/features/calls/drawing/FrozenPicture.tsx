import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { MediaItem } from '@/api/types';
import { INKS, LiveFrame, type LivePicture, type PictureSettings, Sheet, TEXT_MAX } from '@/rtc';
import { useT } from '@/shared/i18n';
import classes from './FrozenPicture.module.css';
import { MeasureFrozen } from './MeasureFrozen';
import type { Drawing } from './use-drawing';

interface FrozenPictureProps {
  item: MediaItem;
  label: string;
  drawing: Drawing;
  picture: RefObject<LivePicture | null>;
  settings: PictureSettings;
  zoomed: boolean;
}

/** A text for the place that was pressed: Enter puts it there, Escape leaves it. */
function Writing({ drawing }: { drawing: Drawing }) {
  const t = useT();
  const [text, setText] = useState('');
  const put = (event: FormEvent) => {
    event.preventDefault();
    drawing.write(text);
  };
  return (
    <form className={classes.writing} onSubmit={put}>
      <TextInput
        aria-label={t('call.drawTextLabel')}
        placeholder={t('call.drawTextLabel')}
        value={text}
        maxLength={TEXT_MAX}
        autoFocus
        data-autofocus
        leftSection={<span className={classes.ink} style={{ background: INKS[drawing.tone] }} />}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && drawing.write('')}
      />
      <Button type="submit">{t('call.drawTextAdd')}</Button>
    </form>
  );
}

/** The still that both sides look at, with its marks; it is enlarged, pointed at and drawn on like the live picture. */
export function FrozenPicture({ item, label, drawing, picture, settings, zoomed }: FrozenPictureProps) {
  const host = useRef<HTMLDivElement>(null);
  const sheet = useRef<Sheet | null>(null);
  useEffect(() => {
    if (!host.current) return;
    const made = new Sheet(host.current);
    sheet.current = made;
    return () => {
      sheet.current = null;
      made.dispose();
    };
  }, []);
  useEffect(() => sheet.current?.show(drawing.marks), [drawing.marks]);
  const onPlaced: PictureSettings['onPlaced'] = (placement) => sheet.current?.place(placement);
  return (
    <>
      <LiveFrame picture={picture} settings={{ ...settings, onPlaced }} zoomed={zoomed}>
        <img className={classes.still} src={item.preview ?? item.url} alt={label} draggable={false} />
      </LiveFrame>
      <div ref={host} className={classes.sheet} />
      <MeasureFrozen item={item} label={label} />
      {drawing.writing && <Writing drawing={drawing} />}
    </>
  );
}
