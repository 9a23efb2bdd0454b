import { ActionIcon, Menu } from '@mantine/core';
import type { MediaItem } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { sizeText, timeOfDay } from '@/shared/lib/format';
import { Icon } from '@/shared/ui/Icon';
import { StateView } from '@/shared/ui/StateView';
import type { CallShots } from '../hooks/use-shots';
import { ShotList } from './ShotList';
import shotClasses from './ShotList.module.css';
import classes from './SidePanel.module.css';

interface PhotosTabProps {
  pictures: MediaItem[];
  shots: CallShots;
  onOpen: (item: MediaItem) => void;
}

/** The list of photos that the case should have, and below it the pictures that are none of them. */
export function PhotosTab({ pictures, shots, onOpen }: PhotosTabProps) {
  const t = useT();
  const ticking = new Set(shots.list.map((shot) => shot.mediaId));
  const others = pictures.filter((item) => !ticking.has(item._id));
  if (shots.list.length === 0 && pictures.length === 0)
    return <StateView icon="cam" title={t('call.photosNone')} text={t('call.photosNoneText')} />;
  const rows = (
    <ol className={shots.list.length === 0 ? classes.files : undefined}>
      {others.map((item) => (
        <li key={item._id} className={shotClasses.other}>
          <PictureRow item={item} number={pictures.indexOf(item) + 1} onOpen={onOpen} />
          {shots.list.length > 0 && <Assign item={item} shots={shots} number={pictures.indexOf(item) + 1} />}
        </li>
      ))}
    </ol>
  );
  if (shots.list.length === 0) return rows;
  return (
    <>
      <ShotList shots={shots} pictures={pictures} onOpen={onOpen} />
      {others.length > 0 && (
        <section className={shotClasses.others}>
          <h3>{t('call.otherPhotos')}</h3>
          {rows}
        </section>
      )}
    </>
  );
}

interface PictureRowProps {
  item: MediaItem;
  number: number;
  onOpen: (item: MediaItem) => void;
}

/** A picture with its time and real size. */
function PictureRow({ item, number, onOpen }: PictureRowProps) {
  const t = useT();
  const language = useLanguage();
  return (
    <button type="button" className={classes.file} onClick={() => onOpen(item)}>
      <span className={`${classes.fileNumber} num`}>{number}</span>
      <span className={classes.fileText}>
        <span className={`${classes.fileName} num`}>
          {timeOfDay(item.capturedAt, language, true)}
          {item.width && item.height ? ` · ${item.width} × ${item.height}` : ''}
        </span>
        <span className={`${classes.fileLine} num`}>
          {item.method && `${t(`media.method_${item.method}`)} · `}
          {sizeText(item.size, language)}
        </span>
      </span>
      {item.thumbnail && <img className={classes.mini} src={item.thumbnail} alt="" />}
    </button>
  );
}

/** Says afterwards what a picture shows. */
function Assign({ item, shots, number }: { item: MediaItem; shots: CallShots; number: number }) {
  const t = useT();
  return (
    <Menu position="bottom-end" shadow="none" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          size={28}
          aria-label={t('call.shotAssign', { n: number })}
        >
          <Icon name="shots" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={shotClasses.menu}>
        <Menu.Label>{t('call.shotAssignTitle')}</Menu.Label>
        {shots.list.map((shot) => (
          <Menu.Item
            key={shot.key}
            leftSection={<Icon name={shot.state === 'done' ? 'check' : 'circ'} size={16} />}
            onClick={() => shots.mark(shot.key, 'done', item._id)}
          >
            {shot.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
