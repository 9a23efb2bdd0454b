import { isLive, type ParticipantView, TrackVideo } from '@/rtc';
import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import { Icon } from '@/shared/ui/Icon';
import classes from './Stage.module.css';

interface TileProps {
  participant: ParticipantView;
  name: string;
  /** Shows the person as in a mirror: the adjuster's own tile. */
  own?: boolean;
  /** Takes this picture to the stage; only for another device of the client. */
  onChoose?: () => void;
}

/** A small picture of one person, or their initials. */
export function Tile({ participant, name, own = false, onChoose }: TileProps) {
  const t = useT();
  const { camera } = participant;
  const silent = !isLive(participant.microphone) && !(own && participant.microphone && !participant.microphone.muted);
  return (
    <div className={classes.tile} data-speaking={(participant.speaking && !own) || undefined}>
      {camera?.track && !camera.muted ? (
        <TrackVideo track={camera.track} label={name} fit="cover" mirrored={own} />
      ) : (
        <span className={classes.initials} aria-hidden="true">
          {initials(participant.name || name) || '–'}
        </span>
      )}
      <span className={classes.tag}>
        {silent && <Icon name="micoff" size={14} label={t('call.micIsOff')} />}
        <span className={classes.tagName}>{participant.device ?? name}</span>
      </span>
      {onChoose && (
        <button
          type="button"
          className={classes.choose}
          aria-label={t('call.chooseDevice', { device: participant.device ?? name })}
          title={t('call.chooseDevice', { device: participant.device ?? name })}
          onClick={onChoose}
        />
      )}
    </div>
  );
}
