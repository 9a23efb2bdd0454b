import { INKS, TONES } from '@/rtc';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import classes from './DrawTools.module.css';
import type { Drawing, Tool } from './use-drawing';

const TOOLS: readonly {
  tool: Tool;
  icon: IconName;
  key: string;
  label: 'drawPen' | 'drawArrow' | 'drawEllipse' | 'drawText' | 'drawNumber';
}[] = [
  { tool: 'pen', icon: 'pen', key: 'D', label: 'drawPen' },
  { tool: 'arrow', icon: 'arrow', key: 'A', label: 'drawArrow' },
  { tool: 'ellipse', icon: 'circ', key: 'E', label: 'drawEllipse' },
  { tool: 'text', icon: 'letter', key: 'T', label: 'drawText' },
  { tool: 'number', icon: 'number', key: 'N', label: 'drawNumber' },
];

/** The tools at the left edge of a frozen picture while one is in hand. */
export function DrawTools({ drawing }: { drawing: Drawing }) {
  const t = useT();
  const acts = [
    { icon: 'undo' as const, label: t('call.drawUndo'), keys: 'Control+Z', off: !drawing.canUndo, run: drawing.undo },
    {
      icon: 'redo' as const,
      label: t('call.drawRedo'),
      keys: 'Control+Shift+Z',
      off: !drawing.canRedo,
      run: drawing.redo,
    },
    {
      icon: 'trash' as const,
      label: t('call.drawClear'),
      keys: undefined,
      off: drawing.marks.length === 0,
      run: drawing.clear,
    },
  ];
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('call.drawTools')} aria-orientation="vertical">
      {TOOLS.map(({ tool, icon, key, label }) => (
        <button
          key={tool}
          type="button"
          className={classes.tool}
          aria-label={t(`call.${label}`)}
          aria-pressed={drawing.tool === tool}
          aria-keyshortcuts={key}
          title={`${t(`call.${label}`)} (${key})`}
          onClick={() => drawing.choose(tool)}
        >
          <Icon name={icon} />
        </button>
      ))}
      <hr />
      {TONES.map((tone) => (
        <button
          key={tone}
          type="button"
          className={classes.tool}
          aria-label={t(`call.drawTone_${tone}`)}
          aria-pressed={drawing.tone === tone}
          data-tone
          title={`${t(`call.drawTone_${tone}`)} (C)`}
          onClick={() => drawing.setTone(tone)}
        >
          <span className={classes.ink} style={{ background: INKS[tone] }} />
        </button>
      ))}
      <hr />
      {acts.map(({ icon, label, keys, off, run }) => (
        <button
          key={icon}
          type="button"
          className={classes.tool}
          aria-label={label}
          aria-keyshortcuts={keys}
          title={label}
          disabled={off}
          onClick={run}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
