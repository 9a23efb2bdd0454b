import type { MediaItem } from '@/api/types';
import { sizeText, timeOfDay } from '@/features/media/format';
import { useLanguage, useT } from '@/shared/i18n';
import { StateView } from '@/shared/ui/StateView';
import classes from './SidePanel.module.css';

interface PhotosTabProps {
  pictures: MediaItem[];
  onOpen: (item: MediaItem) => void;
}

/** Every picture of the case with its time and real size. */
export function PhotosTab({ pictures, onOpen }: PhotosTabProps) {
  const t = useT();
  const language = useLanguage();
  if (pictures.length === 0)
    return <StateView icon="cam" title={t('call.photosNone')} text={t('call.photosNoneText')} />;
  return (
    <ol className={classes.files}>
      {pictures.map((item, index) => (
        <li key={item._id}>
          <button type="button" className={classes.file} onClick={() => onOpen(item)}>
            <span className={`${classes.fileNumber} num`}>{index + 1}</span>
            <span className={classes.fileText}>
              <span className={`${classes.fileName} num`}>
                {timeOfDay(item.capturedAt ?? item.createdAt, language, true)}
                {item.width && item.height ? ` · ${item.width} × ${item.height}` : ''}
              </span>
              <span className={`${classes.fileLine} num`}>
                {item.method && `${t(`media.method_${item.method}`)} · `}
                {sizeText(item.size, language)}
              </span>
            </span>
            {item.thumbnail && <img className={classes.mini} src={item.thumbnail} alt="" />}
          </button>
        </li>
      ))}
    </ol>
  );
}
