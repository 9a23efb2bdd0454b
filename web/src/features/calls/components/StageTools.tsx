import { useLanguage, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
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
}

/** Over the foot of the picture: the pointer, how far the picture is enlarged, and the keys. */
export function StageTools({ pointing, onPoint, scale, onWhole, onHelp }: StageToolsProps) {
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
        <button
          type="button"
          className={classes.tool}
          aria-pressed={pointing}
          aria-keyshortcuts="P"
          title={pointing ? t('call.pointEnd') : t('call.pointTitle')}
          onClick={onPoint}
        >
          <Icon name="laser" />
          {t('call.point')}
          <kbd>P</kbd>
        </button>
      )}
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
