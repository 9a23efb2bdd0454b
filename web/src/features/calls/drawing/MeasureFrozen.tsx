import { useEffect, useState } from 'react';
import type { MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { MeasureModal } from '@/shared/measure/MeasureModal';
import { useMayMeasure } from '@/shared/measure/use-may-measure';
import { Icon } from '@/shared/ui/Icon';
import { keepsKeys } from '../keyboard';
import classes from './FrozenPicture.module.css';

/** Measures on the still that both sides look at; the call goes on meanwhile. */
export function MeasureFrozen({ item, label }: { item: MediaItem; label: string }) {
  const t = useT();
  const may = useMayMeasure(item);
  const [measuring, setMeasuring] = useState(false);
  useEffect(() => {
    if (!may) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const other = event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.repeat;
      if (other || event.key.toLowerCase() !== 'm' || keepsKeys(event)) return;
      event.preventDefault();
      setMeasuring(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [may]);
  if (!may) return null;
  return (
    <>
      <button
        type="button"
        className={classes.measure}
        aria-keyshortcuts="M"
        title={`${t('media.measureTitle')} (M)`}
        onClick={() => setMeasuring(true)}
      >
        <Icon name="ruler" />
        {t('media.measure')}
      </button>
      <MeasureModal item={measuring ? item : null} title={label} onClose={() => setMeasuring(false)} />
    </>
  );
}
