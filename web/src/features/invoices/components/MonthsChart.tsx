import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useMediaQuery } from '@mantine/hooks';
import { useLanguage, useT } from '@/shared/i18n';
import { count, euros } from '@/shared/lib/money';
import { isMonth, monthText, shortMonth } from '@/shared/lib/months';
import { currentMonth, namedMonths } from '../model';
import type { MonthTotal } from '../types';
import classes from './invoices.module.css';

interface BarShape {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  payload?: MonthTotal;
}

/** So many months can be named below the bars. */
const NAMED = 13;
const NAMED_NARROW = 6;

/** Totals by month: the last invoiced one full with its amount, the others 42 %, the running one dashed. */
export default function MonthsChart({ months }: { months: MonthTotal[] }) {
  const t = useT();
  const language = useLanguage();
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  const current = currentMonth(months);
  const bar = ({ x = 0, y = 0, width = 0, height = 0, payload }: BarShape) => {
    if (!height) return <g />;
    const full = payload?.period === current;
    return (
      <g>
        <path
          d={rounded(x, y, width, height)}
          className={payload?.provisional ? classes.barRunning : full ? classes.barFull : classes.bar}
        />
        {full && payload && (
          <text x={x + width / 2} y={y - 8} textAnchor="middle" className={classes.value}>
            {euros(payload.total, language)}
          </text>
        )}
      </g>
    );
  };
  return (
    <BarChart
      h={narrow ? 200 : 222}
      data={months as unknown as Record<string, unknown>[]}
      dataKey="period"
      series={[{ name: 'total', label: t('invoices.total'), color: 'var(--at-fill)' }]}
      barProps={{ shape: bar, isAnimationActive: false, maxBarSize: 40 }}
      // The page says the months in a table; the drawing takes no focus.
      barChartProps={{ margin: { top: 24 }, accessibilityLayer: false }}
      gridColor="var(--at-line)"
      textColor="var(--at-text-3)"
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      valueFormatter={(value) => euros(value, language)}
      yAxisProps={{
        width: 52,
        domain: [0, 'auto'],
        tickFormatter: (value: number) =>
          value === 0 ? euros(0, language).replace(/[.,]00/, '') : count(value, language),
      }}
      xAxisProps={{
        interval: 0,
        ticks: namedMonths(months, current, narrow ? NAMED_NARROW : NAMED),
        tick: ({ x, y, payload }: { x?: number | string; y?: number | string; payload?: { value: string } }) => (
          <text
            x={x}
            y={Number(y) + 12}
            textAnchor="middle"
            className={classes.tick}
            data-full={payload?.value === current || undefined}
          >
            {isMonth(payload?.value) && shortMonth(payload.value, language)}
          </text>
        ),
      }}
      tooltipProps={{
        cursor: { fill: 'var(--at-s2)' },
        labelFormatter: (period) => (isMonth(String(period)) ? monthText(String(period), language) : ''),
      }}
    />
  );
}

/** A bar with its two upper corners round, 3 px; below zero (more given back than invoiced) the lower two. */
function rounded(x: number, y: number, width: number, height: number): string {
  const [top, tall] = height < 0 ? [y + height, -height] : [y, height];
  const r = Math.min(3, tall, width / 2);
  if (height < 0) return `M${x},${top}V${top + tall - r}q0,${r} ${r},${r}H${x + width - r}q${r},0 ${r},${-r}V${top}Z`;
  return `M${x},${top + tall}V${top + r}q0,${-r} ${r},${-r}H${x + width - r}q${r},0 ${r},${r}V${top + tall}Z`;
}
