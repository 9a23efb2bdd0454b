import type { Place } from '@/api/types';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { distanceText } from '@/shared/lib/format';
import { Icon } from './Icon';
import classes from './PlaceNote.module.css';

interface PlaceNoteProps {
  place: Place | null;
}

/** What a position says about the insured place; null when there is nothing to compare with. */
export function placeText(t: T, place: Place, language: string): string | null {
  const province = place.province ?? t('common.placeAbroad');
  switch (place.verdict) {
    case 'near':
    case 'far':
      return t('common.placeDistance', { distance: distanceText(place.distanceM ?? 0, language) });
    case 'sameProvince':
      return t('common.placeSameProvince', { province });
    case 'otherProvince':
      return t('common.placeOtherProvince', { province, insured: place.insuredProvince ?? t('common.none') });
    default:
      return null;
  }
}

/** Address of a position, and how far it is from the insured place; amber above 500 m and in another province. */
export function PlaceNote({ place }: PlaceNoteProps) {
  const t = useT();
  const language = useLanguage();
  if (!place) return null;
  const text = placeText(t, place, language);
  const marked = place.verdict === 'far' || place.verdict === 'otherProvince';
  if (!text && !place.address) return null;
  return (
    <div className={classes.place}>
      {place.address && <p>{place.address}</p>}
      {text && (
        <p className={marked ? classes.marked : classes.plain}>
          {marked && <Icon name="warn" size={16} />}
          {text}
        </p>
      )}
    </div>
  );
}
