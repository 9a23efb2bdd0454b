import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useMediaQuery } from '@mantine/hooks';
import { useLanguage, useT } from '@/shared/i18n';
import { type Funnel, mondayText, type Step, weekText } from '../model';
import classes from './statistics.module.css';

interface BarShape {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  index?: number;
  payload?: { value?: number };
}

/** One step week by week. The last whole week is full, the others 42 %, the running one dashed. */
export default function WeeksChart({ weeks, step }: { weeks: Funnel['weeks']; step: Step }) {
  const t = useT();
  const language = useLanguage();
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  const running = weeks.length - 1;
  const data = weeks.map((week) => ({
    label: mondayText(week.week, language),
    range: weekText(week.week, language),
    value: week[step],
  }));
  const labelled = weeks.length <= 12 && !narrow;
  const bar = ({ x = 0, y = 0, width = 0, height = 0, index = 0, payload }: BarShape) => (
    <g>
      <path
        d={top(x, y, width, height)}
        className={index === running ? classes.barRunning : index === running - 1 ? classes.barFull : classes.bar}
      />
      {labelled && (
        <text
          x={x + width / 2}
          y={y - 6}
          textAnchor="middle"
          className={classes.value}
          data-full={index === running - 1 || undefined}
        >
          {payload?.value}
        </text>
      )}
    </g>
  );
  return (
    <BarChart
      h={narrow ? 220 : 340}
      data={data}
      dataKey="label"
      series={[{ name: 'value', label: t(`statistics.${step}`), color: 'var(--at-fill)' }]}
      barProps={{ shape: bar, isAnimationActive: false, maxBarSize: 44 }}
      barChartProps={{ margin: { top: 20 } }}
      gridColor="var(--at-line)"
      textColor="var(--at-text-2)"
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      yAxisProps={{ allowDecimals: false, width: 40, domain: [0, 'auto'] }}
      // Dates that would touch are left out.
      xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 8 }}
      tooltipProps={{
        cursor: { fill: 'var(--at-s2)' },
        labelFormatter: (_label, rows) => (rows?.[0]?.payload as { range?: string } | undefined)?.range ?? '',
      }}
    />
  );
}

/** A bar with its two upper corners round, 3 px; nothing for a week without any. */
function top(x: number, y: number, width: number, height: number): string {
  if (height <= 0) return '';
  const r = Math.min(3, height, width / 2);
  return `M${x},${y + height}V${y + r}q0,${-r} ${r},${-r}H${x + width - r}q${r},0 ${r},${r}V${y + height}Z`;
}
