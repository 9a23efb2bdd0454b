import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import {
  type CallStatus,
  type Caps,
  type DrawChannel,
  isLive,
  LiveFrame,
  mainPicture,
  type ParticipantView,
  type People,
  type PointChannel,
  TrackVideo,
} from '@/rtc';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { DrawTools } from '../drawing/DrawTools';
import { FrozenPicture } from '../drawing/FrozenPicture';
import { useDrawing } from '../drawing/use-drawing';
import { useDrawingKeys } from '../drawing/use-drawing-keys';
import type { FrozenCall } from '../drawing/use-frozen';
import { usePointer } from '../hooks/use-pointer';
import type { LinkChannel } from '../model';
import { displayName } from '../people';
import type { StageState } from '../stage';
import { CallKeys } from './CallKeys';
import { Plates } from './Plates';
import classes from './Stage.module.css';
import { StageMessage } from './StageMessage';
import { StageTools } from './StageTools';
import { Tile } from './Tile';

interface StageProps {
  className?: string;
  people: People;
  status: CallStatus;
  state: StageState | null;
  pointing: PointChannel;
  drawings: DrawChannel;
  frozen: FrozenCall;
  /** A photo can be asked for. */
  canShoot: boolean;
  caps: Caps | null;
  /** The sentence about the network, when there is one to say. */
  networkText: string | null;
  audioAllowed: boolean;
  /** What is wrong with the picture or the sound that the network does not explain. */
  remarks: readonly { icon: IconName; text: string }[];
  /** The channel that the link goes by again. */
  channel: LinkChannel;
  /** Takes another device of the client to the stage. */
  onChoose: (identity: string) => void;
  /** What else is said at the foot. */
  notice?: ReactNode;
  /** Full name of the contact person. */
  clientName: string | null;
  /** How the client is called in sentences. */
  client: string;
  onStartAudio: () => void;
  onResend: () => void;
  onCopyLink: () => void;
  resending: boolean;
}

/** Everybody who is not on the large picture. */
function smallOnes(people: People, main: ParticipantView | null, sharing: boolean): ParticipantView[] {
  return people.others.filter((one) => {
    if (one.identity === main?.identity && !sharing) return false;
    // Without a share the client is large or, with a trouble, a sentence; never a dead small picture. Another device of
    // the client is always there to be chosen.
    if (one.identity === people.client?.identity) return sharing && isLive(one.camera);
    return true;
  });
}

/** The client's picture whole on neutral grey, people in tiles, plates and sentences over it. */
export function Stage(props: StageProps) {
  const t = useT();
  const { people, status, state } = props;
  const [lines, setLines] = useState<number | null>(null);
  const picture = mainPicture(people);
  const { frozen } = props;
  const drawing = useDrawing(frozen, props.drawings);
  const showPicture = picture !== null && state === null && frozen.item === null;
  const [helping, setHelping] = useState(false);
  const help = useCallback(() => setHelping(true), []);
  const nameOf = (identity: string) => {
    const person = people.others.find((one) => one.identity === identity);
    return person ? (displayName(t, person, props.clientName).split(' ')[0] ?? '') : '';
  };
  const pointer = usePointer({
    channel: props.pointing,
    of: frozen.item
      ? (people.client?.identity ?? null)
      : showPicture && !picture.screen
        ? picture.participant.identity
        : null,
    nameOf,
    onHelp: help,
  });
  // Without a frozen picture the pen waits for it.
  const [awaited, setAwaited] = useState(false);
  const { choose } = drawing;
  const { stop } = pointer;
  const begin = useCallback(() => {
    stop();
    if (drawing.ready) return choose('pen');
    setAwaited(true);
    if (!frozen.busy) frozen.freeze();
  }, [stop, drawing.ready, choose, frozen]);
  useEffect(() => {
    if (!awaited || !drawing.ready) return;
    setAwaited(false);
    choose('pen');
  }, [awaited, drawing.ready, choose]);
  useEffect(() => {
    if (frozen.failures > 0) setAwaited(false);
  }, [frozen.failures]);
  useEffect(() => {
    if (pointer.on) choose(null);
  }, [pointer.on, choose]);
  useDrawingKeys(drawing, frozen, props.canShoot, begin);
  const small = smallOnes(people, showPicture ? picture.participant : null, picture?.screen ?? false);
  return (
    <section className={`${classes.stage} ${props.className ?? ''}`} aria-label={t('call.stage')}>
      {frozen.item && (
        <FrozenPicture
          key={frozen.item._id}
          item={frozen.item}
          label={t('call.frozenPicture', { name: props.client })}
          drawing={drawing}
          picture={pointer.picture}
          settings={drawing.draw ? { ...pointer.settings, pointsBy: 'touch', draw: drawing.draw } : pointer.settings}
          zoomed={pointer.scale > 1}
        />
      )}
      {showPicture && picture.view.track && (
        <LiveFrame
          key={picture.view.sid}
          picture={pointer.picture}
          settings={pointer.settings}
          zoomed={pointer.scale > 1}
        >
          <TrackVideo
            track={picture.view.track}
            label={t('call.pictureOf', { name: displayName(t, picture.participant, props.clientName) })}
            onSize={(width, height) => setLines(Math.min(width, height) || null)}
          />
        </LiveFrame>
      )}
      {state && !frozen.item && (
        <StageMessage
          state={state}
          client={props.client}
          channel={props.channel}
          onResend={props.onResend}
          onCopyLink={props.onCopyLink}
          resending={props.resending}
        />
      )}
      {frozen.item && (
        <div className={classes.plates} role="status">
          <span className={classes.plate}>
            <Icon name="freeze" size={16} />
            {t('call.frozenNote', { name: props.client })}
          </span>
        </div>
      )}
      {showPicture && !picture.screen && (
        <Plates caps={props.caps} device={picture.participant.device} height={lines} />
      )}
      <div className={classes.tiles}>
        {people.me && <Tile participant={people.me} name={t('call.you')} own />}
        {small.map((one) => (
          <Tile
            key={one.identity}
            participant={one}
            name={displayName(t, one, props.clientName)}
            onChoose={
              one.kind === 'client' && one.identity !== people.client?.identity
                ? () => props.onChoose(one.identity)
                : undefined
            }
          />
        ))}
      </div>
      <div className={classes.foot} data-drawing={drawing.tool !== null || undefined}>
        <div className={classes.banners}>
          {status.name === 'reconnecting' && (
            <span className={classes.banner} role="alert">
              <Icon name="refresh" size={16} />
              {t('call.reconnecting')}
            </span>
          )}
          {!props.audioAllowed && (
            <span className={classes.banner} role="alert">
              <Icon name="mute" size={16} />
              {t('call.soundBlocked')}
              <Button size="xs" onClick={props.onStartAudio}>
                {t('call.soundStart')}
              </Button>
            </span>
          )}
          {status.name === 'connected' &&
            props.remarks.map(({ icon, text }) => (
              <span key={text} className={classes.banner} role="status">
                <Icon name={icon} size={16} />
                {text}
              </span>
            ))}
          {props.networkText && status.name === 'connected' && !state && (
            <span className={classes.banner} role="status">
              <Icon name="net" size={16} />
              {props.networkText}
            </span>
          )}
          {props.notice}
        </div>
        {(showPicture || frozen.item) && (
          <StageTools
            pointing={pointer.pointable ? pointer.on : null}
            onPoint={pointer.toggle}
            scale={pointer.scale}
            onWhole={pointer.whole}
            onHelp={help}
            freezing={
              frozen.item || (props.canShoot && !picture?.screen)
                ? {
                    frozen: frozen.item !== null,
                    busy: frozen.busy,
                    onFreeze: frozen.item ? frozen.unfreeze : frozen.freeze,
                    drawing: drawing.tool !== null,
                    onDraw: () => (drawing.tool !== null ? choose(null) : begin()),
                  }
                : undefined
            }
          />
        )}
      </div>
      {drawing.tool !== null && <DrawTools drawing={drawing} />}
      <span className="visually-hidden" role="status">
        {pointer.pointedBy !== null && t('call.pointedBy', { name: nameOf(pointer.pointedBy) })}
      </span>
      <CallKeys opened={helping} onClose={() => setHelping(false)} />
    </section>
  );
}
