import { useT } from '@/shared/i18n';
import classes from './map.module.css';
import { islandsX, islandsY, mainlandX, mainlandY, OUTLINE, onOutline, type PlacedAt } from './project';
import { CANARIES, IBIZA, MALLORCA, MENORCA, PENINSULA } from './spain-outline';

const path = (ring: ReadonlyArray<readonly [number, number]>) =>
  `M${ring.map(([lon, lat]) => `${mainlandX(lon).toFixed(1)} ${mainlandY(lat).toFixed(1)}`).join('L')}Z`;

const RINGS = [PENINSULA, MALLORCA, MENORCA, IBIZA];

/** In which corner of Spain the phone was: drawn by ourselves, nothing leaves our server. */
export function OutlineMap({ positions }: { positions: readonly PlacedAt[] }) {
  const t = useT();
  const points = positions.map((one) => ({ one, point: onOutline(one) }));
  return (
    <svg
      className={classes.outline}
      viewBox={`0 0 ${OUTLINE.width} ${OUTLINE.height}`}
      role="img"
      aria-label={t('conferences.mapOutline')}
    >
      {RINGS.map((ring) => (
        <path key={ring[0]?.join()} className={classes.land} d={path(ring)} />
      ))}
      <path className={classes.box} d={`M4 ${OUTLINE.height - 66}h108l12 12v48`} />
      {CANARIES.map(([lon, lat]) => (
        <circle key={lon} className={classes.land} cx={islandsX(lon)} cy={islandsY(lat)} r="4.5" />
      ))}
      {points.map(({ one, point }, index) =>
        point ? (
          <g
            key={one.at}
            transform={`translate(${point[0]} ${point[1]})`}
            data-last={index === points.length - 1 || undefined}
          >
            <circle className={classes.halo} r="11" />
            <circle className={classes.here} r="4.5" />
          </g>
        ) : null,
      )}
    </svg>
  );
}
