import { useLanguage, useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { enlargedText } from '../model';
import classes from './StageTools.module.css';

interface StageToolsProps {
  /** Null where there is nothing to point at. */
  pointing: boolean | null;
  onPoint: () => void;
  /** How far the picture is enlarged; 1 = whole. */
  scale: number;
  onWhole: () => void;
  onHelp: () => void;
  /** Absent where nothing can be frozen. */
  freezing?: FreezeTools;
}

export interface FreezeTools {
  frozen: boolean;
  busy: boolean;
  onFreeze: () => void;
  drawing: boolean;
  onDraw: () => void;
}

interface ToolProps {
  icon: IconName;
  word: string;
  title: string;
  /** The letter that does the same. */
  letter: string;
  pressed: boolean;
  disabled?: boolean;
  busy?: boolean;
  onPress: () => void;
}

/** A tool that is on or off. Where there is little room, its word is for readers aloud only. */
function Tool({ icon, word, title, letter, pressed, disabled, busy, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      aria-pressed={pressed}
      aria-busy={busy}
      aria-keyshortcuts={letter}
      title={title}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon name={icon} />
      <span className={classes.word}>{word}</span>
      <kbd>{letter}</kbd>
    </button>
  );
}

/** Freezes the picture, and draws on what is frozen. */
function Freezing({ frozen, busy, onFreeze, drawing, onDraw }: FreezeTools) {
  const t = useT();
  return (
    <>
      <Tool
        icon="freeze"
        word={t('call.freeze')}
        title={frozen ? t('call.unfreeze') : t('call.freezeTitle')}
        letter="F"
        pressed={frozen}
        disabled={busy}
        busy={busy}
        onPress={onFreeze}
      />
      <Tool
        icon="pen"
        word={t('call.draw')}
        title={drawing ? t('call.drawEnd') : t('call.drawTitle')}
        letter="D"
        pressed={drawing}
        disabled={busy}
        onPress={onDraw}
      />
    </>
  );
}

/** Over the foot of the picture: the pointer, how far the picture is enlarged, and the keys. */
export function StageTools({ pointing, onPoint, scale, onWhole, onHelp, freezing }: StageToolsProps) {
  const t = useT();
  const language = useLanguage();
  const enlarged = enlargedText(scale, language);
  const whole = t('call.pictureWhole', { scale: enlarged });
  return (
    <div className={classes.tools}>
      {scale > 1 && (
        <button type="button" className={classes.tool} aria-label={whole} title={whole} onClick={onWhole}>
          <span className="num">{enlarged}</span>
          <Icon name="x" size={16} />
        </button>
      )}
      {pointing !== null && (
        <Tool
          icon="laser"
          word={t('call.point')}
          title={pointing ? t('call.pointEnd') : t('call.pointTitle')}
          letter="P"
          pressed={pointing}
          onPress={onPoint}
        />
      )}
      {freezing && <Freezing {...freezing} />}
      <button
        type="button"
        className={`${classes.tool} ${classes.help}`}
        aria-label={t('call.keys')}
        aria-keyshortcuts="?"
        title={t('call.keys')}
        onClick={onHelp}
      >
        <kbd>?</kbd>
      </button>
    </div>
  );
}
