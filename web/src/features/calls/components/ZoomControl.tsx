import { Popover, Slider } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Caps } from '@/rtc';
import { useLanguage, useT } from '@/shared/i18n';
import { zoomText } from '../model';
import classes from './Dock.module.css';
import { DockButton } from './DockButton';

interface ZoomControlProps {
  zoom: NonNullable<Caps['zoom']>;
  onZoom: (value: number) => void;
}

/** While the slider moves, at most one command in this time. Milliseconds. */
const SEND_EVERY_MS = 120;

/** The slider of the client's zoom: shows the wanted value while dragging, the device's afterwards. */
export function ZoomSlider({ zoom, onZoom }: ZoomControlProps) {
  const t = useT();
  const language = useLanguage();
  const [wanted, setWanted] = useState(zoom.value);
  const timer = useRef<number | null>(null);
  const latest = useRef(zoom.value);
  useEffect(() => setWanted(zoom.value), [zoom.value]);
  useEffect(() => () => window.clearTimeout(timer.current ?? undefined), []);

  const move = (value: number) => {
    setWanted(value);
    latest.current = value;
    if (timer.current !== null) return;
    timer.current = window.setTimeout(() => {
      timer.current = null;
      onZoom(latest.current);
    }, SEND_EVERY_MS);
  };
  return (
    <>
      <div className={classes.popHead}>
        <span>{t('call.zoom')}</span>
        <span className="num">{zoomText(wanted, language)}</span>
      </div>
      <Slider
        min={zoom.min}
        max={zoom.max}
        step={zoom.step}
        value={wanted}
        onChange={move}
        label={null}
        thumbLabel={t('call.zoom')}
      />
    </>
  );
}

/** Zoom in the dock, with its slider above. */
export function ZoomControl(props: ZoomControlProps) {
  const t = useT();
  return (
    <Popover position="top" width={240} trapFocus>
      <Popover.Target>
        <DockButton icon="zoom" label={t('call.zoom')} />
      </Popover.Target>
      <Popover.Dropdown className={classes.pop}>
        <ZoomSlider {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}
