import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useT } from '@/shared/i18n';
import { MeasureModal } from '@/shared/measure/MeasureModal';
import { useMayMeasure } from '@/shared/measure/use-may-measure';
import { Icon } from '@/shared/ui/Icon';
import { mediaFailure } from '../errors';
import type { Comparison } from '../hooks/use-comparison';
import { useMarks } from '../hooks/use-marks';
import { useViewerKeys } from '../hooks/use-viewer-keys';
import { neighbour, type ShownItem, type Turn, turnedOnce, type View, WHOLE, zoomAt } from '../model';
import { itemTitle } from '../texts';
import { Compare } from './Compare';
import { Stage } from './Stage';
import classes from './Viewer.module.css';
import { ViewerBar } from './ViewerBar';

interface ViewerProps {
  /** In gallery order. */
  items: ShownItem[];
  item: ShownItem;
  onItem: (id: string) => void;
  /** More tools at the right end: enlarge, facts, close. */
  tools?: ReactNode;
  comparison: Comparison;
  /** False while another viewer lies over this one. */
  keys?: boolean;
}

/** One file large, with its neighbours an arrow away; or two pictures side by side. */
export function Viewer({ items, item, onItem, tools, comparison, keys = true }: ViewerProps) {
  const t = useT();
  const root = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [view, setView] = useState<View>(WHOLE);
  const [turn, setTurn] = useState<Turn>(0);
  const [attempt, setAttempt] = useState(0);
  const [measuring, setMeasuring] = useState(false);
  useEffect(() => {
    setView(WHOLE);
    setTurn(0);
    setAttempt(0);
  }, [item._id]);
  const marks = useMarks(item.conferenceId, items);
  const pictures = items.filter((one) => one.type === 'PICTURE' && !one.expired);
  const isPicture = item.type === 'PICTURE' && !item.expired;
  const mayMeasure = useMayMeasure(item);
  const measure = mayMeasure ? () => setMeasuring(true) : undefined;
  const compare = comparison.on && isPicture && pictures.length > 1;

  const step = (by: 1 | -1) => {
    const next = neighbour(compare ? pictures : items, item._id, by);
    if (next) onItem(next._id);
  };
  const zoom = (factor: number) => isPicture && setView((now) => zoomAt(now, factor));
  const rotate = () => isPicture && setTurn(turnedOnce);
  const fullscreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void (video.current ?? root.current)?.requestFullscreen?.().catch(() => undefined);
  };
  const leave = compare ? comparison.leave : undefined;
  useViewerKeys(
    root,
    { step, zoom, rotate, fullscreen, leave, measure, whole: () => setView(WHOLE) },
    keys && !measuring,
  );

  const failed = () => mediaFailure(t, 'openError', null, () => setAttempt((n) => n + 1));
  const title = itemTitle(t, item, items);
  const position = items.findIndex((one) => one._id === item._id) + 1;
  return (
    <section ref={root} className={classes.viewer} aria-label={t('media.preview')}>
      <ViewerBar
        item={item}
        place={t('media.nOf', { n: position, total: items.length })}
        title={title}
        whole={view.scale === 1}
        onZoom={zoom}
        onRotate={rotate}
        onFullscreen={fullscreen}
        comparing={compare}
        onCompare={pictures.length > 1 ? comparison.toggle : undefined}
        marks={isPicture && marks.has(item) ? marks : null}
        onMeasure={measure}
        tools={tools}
      />
      {compare ? (
        <Compare
          item={item}
          pictures={pictures}
          items={items}
          view={view}
          onView={setView}
          turn={turn}
          onSwipe={step}
          chosen={comparison.second}
          onChoose={comparison.choose}
          layersOf={marks.layers}
        />
      ) : (
        <Stage
          item={item}
          title={title}
          attempt={attempt}
          view={view}
          onView={setView}
          turn={turn}
          onSwipe={step}
          onError={failed}
          layers={marks.layers(item)}
          video={video}
        />
      )}
      {items.length > 1 && !compare && (
        <>
          <button
            type="button"
            className={classes.step}
            data-side="left"
            aria-label={t('common.previous')}
            onClick={() => step(-1)}
          >
            <Icon name="left" />
          </button>
          <button
            type="button"
            className={classes.step}
            data-side="right"
            aria-label={t('common.next')}
            onClick={() => step(1)}
          >
            <Icon name="right" />
          </button>
        </>
      )}
      <div className={classes.foot}>
        <span>{compare ? t('media.compareHint') : t('media.originalKept')}</span>
        <span className={classes.keys} title={t('media.keysHelp')} aria-hidden="true">
          {['←', '→', '+', '−', 'R', 'M', 'F'].map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      </div>
      <MeasureModal item={measuring ? item : null} title={title} onClose={() => setMeasuring(false)} />
    </section>
  );
}
