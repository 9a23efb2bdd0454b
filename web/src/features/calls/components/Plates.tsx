import type { Caps } from '@/rtc';
import { useLanguage, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { phoneText, zoomText } from '../model';
import classes from './Stage.module.css';

interface PlatesProps {
  caps: Caps | null;
  /** How the server names the device; what the phone says of itself goes before. */
  device: string | null;
  /** Lines of the arriving picture, shown when known. */
  height: number | null;
}

/** Over the picture: phone and lens, zoom, torch. */
export function Plates({ caps, device: named, height }: PlatesProps) {
  const t = useT();
  const language = useLanguage();
  if (!caps && !named) return null;
  const lens =
    caps?.facing === 'environment' ? t('call.lensRear') : caps?.facing === 'user' ? t('call.lensFront') : caps?.label;
  const device = [(caps && phoneText(caps)) || named, lens].filter(Boolean).join(' · ');
  return (
    <div className={classes.plates}>
      {device && (
        <span className={classes.plate}>
          <Icon name="phone" size={16} />
          {device}
        </span>
      )}
      {caps?.zoom && <span className={`${classes.plate} num`}>{zoomText(caps.zoom.value, language)}</span>}
      {caps?.torchOn && (
        <span className={classes.plate} data-lit>
          <Icon name="torch" size={16} />
          {t('call.torchIsOn')}
        </span>
      )}
      {height !== null && <span className={`${classes.plate} num`}>{height}p</span>}
    </div>
  );
}
