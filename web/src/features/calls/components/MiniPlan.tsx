import type { Position } from '@/rtc';
import { useLanguage, useT } from '@/shared/i18n';
import { distanceText } from '@/shared/lib/format';
import {
  CANARIES,
  CANARIES_BOX,
  IBIZA,
  MAINLAND_BOX,
  MALLORCA,
  MENORCA,
  PENINSULA,
  within,
} from '@/shared/ui/map/spain-outline';
import { metresFrom, roundLength } from '../model';
import classes from './PositionPanel.module.css';

const WIDTH = 288;
const HEIGHT = 176;
/** Half of the plan's height shows at least this much, in metres. */
const MIN_REACH_M = 25;

interface MiniPlanProps {
  /** Oldest first, at least one. */
  positions: readonly Position[];
}

function Locator({ longitude, latitude }: Position) {
  const mainland = within(MAINLAND_BOX, longitude, latitude);
  const islands = within(CANARIES_BOX, longitude, latitude);
  if (!mainland && !islands) return null;
  const [west, , , north] = MAINLAND_BOX;
  // A degree of longitude at 40° is about three quarters of a degree of latitude.
  const x = (lon: number) => (lon - west) * 6.1;
  const y = (lat: number) => (north - lat) * 8;
  const path = (ring: ReadonlyArray<readonly [number, number]>) =>
    `M${ring.map(([lon, lat]) => `${x(lon).toFixed(1)} ${y(lat).toFixed(1)}`).join('L')}Z`;
  const canaryX = (lon: number) => (lon - CANARIES_BOX[0]) * 5.5 + 2;
  const canaryY = (lat: number) => (CANARIES_BOX[3] - lat) * 5.5 + 68;
  return (
    <g transform={`translate(${WIDTH - 96} 8)`} className={classes.locator}>
      <path d={path(PENINSULA)} />
      <path d={path(MALLORCA)} />
      <path d={path(MENORCA)} />
      <path d={path(IBIZA)} />
      {CANARIES.map(([lon, lat]) => (
        <circle key={lon} cx={canaryX(lon)} cy={canaryY(lat)} r="1.6" />
      ))}
      <circle
        className={classes.here}
        cx={mainland ? x(longitude) : canaryX(longitude)}
        cy={mainland ? y(latitude) : canaryY(latitude)}
        r="3"
      />
    </g>
  );
}

/** Where the phone is and has been, to scale, north up: a plan without map tiles, nothing leaves our server. */
export function MiniPlan({ positions }: MiniPlanProps) {
  const t = useT();
  const language = useLanguage();
  const last = positions[positions.length - 1];
  if (!last) return null;
  const points = positions.map((one) => ({ ...metresFrom(last, one), at: one.at }));
  const far = Math.max(...points.map((one) => Math.max(Math.abs(one.north), Math.abs(one.east) * (HEIGHT / WIDTH))));
  const reach = Math.max(MIN_REACH_M, (last.accuracy ?? 0) * 1.3, far * 1.2);
  const scale = HEIGHT / 2 / reach;
  const bar = roundLength(WIDTH / 3.2 / scale);
  const x = (east: number) => WIDTH / 2 + east * scale;
  const y = (north: number) => HEIGHT / 2 - north * scale;
  const barText = distanceText(bar, language);
  return (
    <svg
      className={classes.plan}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t('call.planLabel', { scale: barText })}
    >
      <g className={classes.grid}>
        {[...Array(9).keys()].map((n) => (
          <path key={`v${n}`} d={`M${WIDTH / 2 + (n - 4) * bar * scale} 0V${HEIGHT}`} />
        ))}
        {[...Array(9).keys()].map((n) => (
          <path key={`h${n}`} d={`M0 ${HEIGHT / 2 + (n - 4) * bar * scale}H${WIDTH}`} />
        ))}
      </g>
      {last.accuracy !== null && (
        <circle className={classes.accuracy} cx={WIDTH / 2} cy={HEIGHT / 2} r={Math.max(4, last.accuracy * scale)} />
      )}
      <polyline className={classes.trail} points={points.map((one) => `${x(one.east)},${y(one.north)}`).join(' ')} />
      {points.slice(0, -1).map((one) => (
        <circle key={one.at} className={classes.past} cx={x(one.east)} cy={y(one.north)} r="2.5" />
      ))}
      <circle className={classes.here} cx={WIDTH / 2} cy={HEIGHT / 2} r="5" />
      <g className={classes.scale}>
        <path d={`M12 ${HEIGHT - 16}v4h${bar * scale}v-4`} />
        <text x="12" y={HEIGHT - 22}>
          {barText}
        </text>
        <path d="M20 26V10M16 14l4-4 4 4" />
        <text x="28" y="22">
          N
        </text>
      </g>
      <Locator {...last} />
    </svg>
  );
}
