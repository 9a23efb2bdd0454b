import { useLanguage, useT } from '@/shared/i18n';
import { countText } from '@/shared/lib/format';
import { type Counts, goneOn, largestLoss, percent, STEPS, type Step } from '../model';
import classes from './statistics.module.css';

interface FunnelBarsProps {
  totals: Counts;
  /** The step that the chart of weeks shows. */
  chosen: Step;
  onChoose: (step: Step) => void;
}

/** From invited to usable: each step with its share of all, what it means and how many of the step before went on. */
export function FunnelBars({ totals, chosen, onChoose }: FunnelBarsProps) {
  const t = useT();
  const language = useLanguage();
  const worst = largestLoss(totals);
  return (
    <ol className={classes.funnel}>
      {STEPS.map((step) => {
        const share = percent(totals[step], totals.invited) ?? 0;
        const on = goneOn(totals, step);
        return (
          <li key={step}>
            <button
              type="button"
              className={classes.step}
              aria-pressed={chosen === step}
              aria-describedby={`step-${step}`}
              onClick={() => onChoose(step)}
            >
              <span className={classes.stepHead}>
                <b>{t(`statistics.${step}`)}</b>
                <span className="num">
                  <b>{countText(totals[step], language)}</b> {t('statistics.percent', { percent: share })}
                </span>
              </span>
              <span className={classes.track} aria-hidden="true">
                <span className={classes.fill} style={{ width: `${share}%` }} />
              </span>
            </button>
            <p className={classes.help} id={`step-${step}`}>
              {t(`statistics.${step}Help`)}
              {on !== null && (
                <span className={`${classes.on} num`} data-worst={worst === step || undefined}>
                  {t('statistics.goneOn', { percent: on })}
                </span>
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
