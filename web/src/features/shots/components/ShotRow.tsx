import { NativeSelect, TextInput } from '@mantine/core';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { type DraftShot, OVERLAYS, type Overlay, SHOT_LIMITS, type ShotError } from '../model';
import { OverlayGlyph } from './OverlayGlyph';
import classes from './ShotRow.module.css';

interface ShotRowProps {
  shot: DraftShot;
  index: number;
  error: ShotError | null;
  dragging: boolean;
  onChange: (changes: Partial<DraftShot>) => void;
  onRemove: () => void;
  onHandleKey: (event: KeyboardEvent) => void;
  onHandlePress: (event: PointerEvent) => void;
}

/** One photo of a list: its place, name, hint and outline. */
export function ShotRow({ shot, index, error, dragging, ...on }: ShotRowProps) {
  const t = useT();
  const name = shot.label.trim() || t('shots.shotN', { n: index + 1 });
  const loose = t as unknown as (key: string) => string;
  const none = { value: '', label: t('shots.overlay_none') };
  return (
    <li className={classes.row} data-dragging={dragging || undefined}>
      <button
        type="button"
        className={classes.handle}
        aria-label={t('shots.move', { name })}
        title={t('shots.moveHint')}
        onKeyDown={on.onHandleKey}
        onPointerDown={on.onHandlePress}
      >
        <Grip />
      </button>
      <span className={`${classes.number} num`} aria-hidden="true">
        {index + 1}
      </span>
      <span className={classes.glyph}>
        <OverlayGlyph overlay={shot.overlay} />
      </span>
      <TextInput
        className={classes.label}
        aria-label={t('shots.labelN', { n: index + 1 })}
        placeholder={t('shots.label')}
        value={shot.label}
        maxLength={SHOT_LIMITS.label}
        error={error && t(`shots.error_${error}`)}
        onChange={(event) => on.onChange({ label: event.currentTarget.value })}
      />
      <TextInput
        className={classes.hint}
        aria-label={t('shots.hintN', { n: index + 1 })}
        placeholder={t('shots.hint')}
        value={shot.hint ?? ''}
        maxLength={SHOT_LIMITS.hint}
        onChange={(event) => on.onChange({ hint: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.overlay}
        aria-label={t('shots.overlayN', { n: index + 1 })}
        rightSection={<Icon name="down" size={16} />}
        data={[none, ...OVERLAYS.map((value) => ({ value, label: loose(`shots.overlay_${value}`) }))]}
        value={shot.overlay ?? ''}
        onChange={(event) => on.onChange({ overlay: (event.currentTarget.value || null) as Overlay | null })}
      />
      <IconAction
        icon="trash"
        size={28}
        label={t('shots.remove', { name })}
        onClick={on.onRemove}
        className={classes.remove}
      />
    </li>
  );
}

/** Six dots: what can be dragged. */
function Grip() {
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} fill="currentColor" aria-hidden="true">
      {[4, 8, 12].map((y) => (
        <g key={y}>
          <circle cx="5.5" cy={y} r="1.3" />
          <circle cx="10.5" cy={y} r="1.3" />
        </g>
      ))}
    </svg>
  );
}
