import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import type { Layer } from '../hooks/use-marks';
import { isHeic, type ShownItem, shownUrl, type Turn, type View } from '../model';
import { itemTitle } from '../texts';
import classes from './Compare.module.css';
import { Picture } from './Picture';
import { HeicPlace } from './Stage';

interface CompareProps {
  item: ShownItem;
  /** That can be shown, in gallery order, with `item` among them. */
  pictures: ShownItem[];
  items: ShownItem[];
  view: View;
  onView: (view: View) => void;
  turn: Turn;
  onSwipe: (step: 1 | -1) => void;
  /** The second picture, once it is chosen. */
  chosen: string | null;
  onChoose: (id: string) => void;
  layersOf: (item: ShownItem) => readonly Layer[];
}

/** Two pictures with one zoom: the open one and one chosen from the strip below. */
export function Compare(props: CompareProps) {
  const t = useT();
  const { item, pictures, items, view, onView, turn, onSwipe, chosen, onChoose, layersOf } = props;
  const others = pictures.filter((one) => one._id !== item._id);
  const second = others.find((one) => one._id === chosen) ?? null;
  const pane = (one: ShownItem, turnOf: Turn) => {
    const url = shownUrl(one);
    const title = itemTitle(t, one, items);
    return (
      <figure className={classes.pane} key={one._id}>
        {url && !(isHeic(one) && !one.preview) ? (
          <Picture
            src={url}
            label={title}
            view={view}
            onView={onView}
            turn={turnOf}
            onSwipe={onSwipe}
            onError={() => undefined}
            layers={layersOf(one)}
          />
        ) : (
          <HeicPlace item={one} />
        )}
        <figcaption className={classes.caption}>{title}</figcaption>
      </figure>
    );
  };
  return (
    <div className={classes.root}>
      <div className={classes.panes}>
        {pane(item, turn)}
        {second ? pane(second, 0) : <div className={classes.pick}>{t('media.comparePick')}</div>}
      </div>
      <ul className={classes.strip} aria-label={t('media.compareStrip')}>
        {others.map((one) => (
          <li key={one._id}>
            <button
              type="button"
              className={classes.thumb}
              aria-label={itemTitle(t, one, items)}
              aria-pressed={one._id === chosen}
              onClick={() => onChoose(one._id)}
            >
              {one.thumbnail ? <img src={one.thumbnail} alt="" /> : <Icon name="img" />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
