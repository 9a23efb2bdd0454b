import { useQuery } from '@tanstack/react-query';
import { measuresQuery } from '@/shared/conference/api';
import { useLanguage, useT } from '@/shared/i18n';
import { valueText } from '@/shared/measure/draft';
import type { ShownItem } from '../model';
import classes from './Facts.module.css';

/** What was measured on a picture, numbered as in its layer; nothing where nothing was. */
export function MeasureFacts({ item }: { item: ShownItem }) {
  const t = useT();
  const language = useLanguage();
  const { data } = useQuery(measuresQuery(item.conferenceId));
  const planes = data?.find(({ mediaId }) => mediaId === item._id)?.planes ?? [];
  const shapes = planes.flatMap((plane) => plane.shapes);
  if (item.expired || shapes.length === 0) return null;
  return (
    <section className={classes.section}>
      <h3>{t('media.measures')}</h3>
      <ol className={classes.measures}>
        {shapes.map((shape) => (
          <li key={shape.id} className="num">
            {valueText(shape.kind, shape, language)}
          </li>
        ))}
      </ol>
      {planes.some(({ wide }) => wide) && <p className={classes.dim}>{t('media.measureWide')}</p>}
    </section>
  );
}
