import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import type { Position } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { coordinatesText } from '@/shared/lib/coordinates';
import { madridTime } from '@/shared/lib/dates';
import { linksQuery } from '@/shared/lib/links';
import { IconAction } from '../IconAction';
import { PlaceNote } from '../PlaceNote';
import { StateView } from '../StateView';
import classes from './map.module.css';
import { OutlineMap } from './OutlineMap';
import { onOutline, places } from './project';

const TileMap = lazy(() => import('./TileMap').then(({ TileMap }) => ({ default: TileMap })));

/**
 * Where the phone was: on tiles when the installation has some, else on an outline; the places as text in any case, with
 * what each says about the insured place.
 */
export function PositionsMap({ positions }: { positions: readonly Position[] }) {
  const t = useT();
  const language = useLanguage();
  const links = useQuery(linksQuery);
  const shown = useMemo(() => places(positions), [positions]);
  if (shown.length === 0) {
    return <StateView icon="pin" title={t('conferences.noPositions')} text={t('conferences.noPositionsText')} />;
  }
  const tiles = links.data?.mapTilesUrl;
  return (
    <div className={classes.root}>
      {tiles ? (
        <Suspense fallback={<div className={classes.tiles} />}>
          <TileMap positions={shown} tilesUrl={tiles} />
        </Suspense>
      ) : (
        shown.some(onOutline) && links.isFetched && <OutlineMap positions={shown} />
      )}
      <ol className={classes.places}>
        {shown.map((one) => (
          <li key={`${one.at}${coordinatesText(one)}`}>
            <span className="num">{madridTime(one.at, language)}</span>
            <div className={classes.place}>
              <span className="num">{coordinatesText(one)}</span>
              <PlaceNote place={one} />
            </div>
            <span className={`${classes.accuracy} num`}>
              {one.accuracy === null ? '' : t('conferences.accuracy', { metres: Math.round(one.accuracy) })}
            </span>
            <IconAction
              icon="copy"
              size={28}
              label={t('conferences.copyPosition')}
              onClick={() => void copyText(coordinatesText(one))}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}
