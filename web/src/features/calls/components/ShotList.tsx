import { ActionIcon, Loader, Menu } from '@mantine/core';
import type { MouseEvent } from 'react';
import type { ConferenceShot, MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import type { CallShots } from '../hooks/use-shots';
import { doneCount } from '../shots';
import classes from './ShotList.module.css';

interface ShotListProps {
  shots: CallShots;
  pictures: MediaItem[];
  onOpen: (item: MediaItem) => void;
}

/** After a click with the mouse the space bar takes pictures again, instead of pressing the row once more. */
const release = (event: MouseEvent<HTMLElement>) => {
  if (event.detail > 0) event.currentTarget.blur();
};

/** The photos a case should have: which is next, which are there, which have to be repeated. */
export function ShotList({ shots, pictures, onOpen }: ShotListProps) {
  const t = useT();
  const { list, next } = shots;
  const done = doneCount(list);
  return (
    <section className={classes.root} aria-label={t('call.shots')}>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={t('call.shotsDone', { done, count: list.length })}
        aria-valuenow={done}
        aria-valuemin={0}
        aria-valuemax={list.length}
      >
        <span style={{ width: `${(done / list.length) * 100}%` }} />
      </div>
      <ul>
        {list.map((shot) => (
          <Row
            key={shot.key}
            shot={shot}
            isNext={next?.key === shot.key}
            running={shots.onTheWay.has(shot.key)}
            picture={pictures.find((item) => item._id === shot.mediaId)}
            shots={shots}
            onOpen={onOpen}
          />
        ))}
        <li className={classes.row} data-next={next === null || undefined}>
          <button
            type="button"
            className={classes.main}
            aria-pressed={next === null}
            onClick={(event) => {
              shots.choose(shots.free ? null : 'free');
              release(event);
            }}
          >
            <span className={classes.mark} data-free>
              <Icon name="cam" size={14} />
            </span>
            <span className={classes.label}>{t('call.shotFree')}</span>
            {next === null && <span className={classes.next}>{t('call.shotNext')}</span>}
          </button>
        </li>
      </ul>
    </section>
  );
}

interface RowProps {
  shot: ConferenceShot;
  isNext: boolean;
  running: boolean;
  picture: MediaItem | undefined;
  shots: CallShots;
  onOpen: (item: MediaItem) => void;
}

function Row({ shot, isNext, running, picture, shots, onOpen }: RowProps) {
  const t = useT();
  const state = running ? t('call.shotRunning') : t(`call.shot_${shot.state}`);
  return (
    <li className={classes.row} data-next={isNext || undefined} data-state={shot.state}>
      <button
        type="button"
        className={classes.main}
        aria-pressed={isNext}
        onClick={(event) => {
          shots.choose({ key: shot.key });
          release(event);
        }}
      >
        <span className={classes.mark}>
          {running ? <Loader size={14} /> : shot.state === 'done' ? <Icon name="check" size={14} /> : null}
          {!running && shot.state === 'poor' && <Icon name="refresh" size={14} />}
        </span>
        <span className={classes.label}>
          {shot.label} <span className="visually-hidden">{state}</span>
          {isNext && shot.hint && <small>{shot.hint}</small>}
        </span>
        {isNext && !picture && (
          <span className={classes.next} aria-hidden="true">
            {t('call.shotNext')}
          </span>
        )}
        {!isNext && shot.state === 'poor' && (
          <span className={classes.poor} aria-hidden="true">
            {t('call.shot_poor')}
          </span>
        )}
      </button>
      {picture && (
        <button
          type="button"
          className={classes.thumb}
          aria-label={t('call.shotOpen', { name: shot.label })}
          onClick={() => onOpen(picture)}
        >
          {picture.thumbnail ? <img src={picture.thumbnail} alt="" /> : <Icon name="img" size={16} />}
        </button>
      )}
      {shot.state !== 'missing' && (
        <Menu position="bottom-end" shadow="none" width={200} withinPortal>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              c="inherit"
              size={28}
              aria-label={t('call.shotMenu', { name: shot.label })}
            >
              <Icon name="dots" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {shot.state === 'done' && (
              <Menu.Item
                leftSection={<Icon name="refresh" size={16} />}
                onClick={() => shots.mark(shot.key, 'poor', shot.mediaId ?? undefined)}
              >
                {t('call.shotRepeat')}
              </Menu.Item>
            )}
            {shot.state === 'poor' && (
              <Menu.Item
                leftSection={<Icon name="check" size={16} />}
                onClick={() => shots.mark(shot.key, 'done', shot.mediaId ?? undefined)}
              >
                {t('call.shotGood')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<Icon name="x" size={16} />} onClick={() => shots.mark(shot.key, 'missing')}>
              {t('call.shotClear')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
}
