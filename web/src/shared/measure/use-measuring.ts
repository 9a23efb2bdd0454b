import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { operation } from '@/api/operation';
import type { Measures, MediaItem } from '@/api/types';
import { measuresQuery, withMeasures } from '@/shared/conference/api';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { type Draft, draftOf, foundAt, type Grip, inputOf, placedByHand, type Readings, readings } from './draft';
import { findInPicture } from './find';
import type { Frame, Point } from './geometry';
import { REFERENCES, type Reference } from './references';

/** What came of looking for the reference. */
export type Search = 'idle' | 'looking' | 'none' | 'failed';

/** Measuring on one picture: the reference, its corners, what is measured, and keeping it. */
export function useMeasuring(item: MediaItem, done: () => void) {
  const t = useT();
  const queries = useQueryClient();
  const query = measuresQuery(item.conferenceId);
  const { data } = useQuery(query);
  const kept = data?.find(({ mediaId }) => mediaId === item._id)?.planes[0] ?? null;
  const [own, setOwn] = useState<Draft | null | undefined>(undefined);
  // Until something is changed, what is kept is shown.
  const draft = own === undefined ? kept && draftOf(kept) : own;
  const [reference, setReference] = useState<Reference | null>(null);
  const [search, setSearch] = useState<Search>('idle');
  const [held, setHeld] = useState<Grip | null>(null);
  const [frame, setFrame] = useState<Frame>({ width: item.width ?? 1, height: item.height ?? 1 });
  const image = useRef<HTMLImageElement>(null);
  const chosen = reference ?? draft?.reference ?? 'plate';

  const look = async (near?: Point) => {
    if (!image.current || search === 'looking') return;
    setSearch('looking');
    try {
      const found = await findInPicture(image.current, REFERENCES[chosen], near);
      if (found) setOwn(foundAt(chosen, found.corners));
      setSearch(found ? 'idle' : 'none');
    } catch {
      setSearch('failed');
    }
  };
  const byHand = () => {
    setSearch('idle');
    setOwn(placedByHand(chosen, frame));
  };
  const choose = (next: Reference) => {
    setReference(next);
    setSearch('idle');
    // Corners of one thing are not those of another.
    setOwn(null);
  };

  const save = useMutation({
    mutationFn: async () => {
      const remove = kept && kept.id !== draft?.id ? [kept.id] : [];
      const measure = { add: draft ? [inputOf(draft)] : [], remove };
      const given = { path: { id: item._id }, body: { measure } };
      return (await operation('put', '/api/v1/media-measure/{id}', given)).measure as Measures;
    },
    onSuccess: (measures) => {
      queries.setQueryData(query.queryKey, (known) => known && withMeasures(known, measures));
      void queries.invalidateQueries({ queryKey: query.queryKey });
      toast.ok({ title: t('media.measureSaved') });
      done();
    },
    onError: (error) => toast.error({ title: t('media.measureSaveError'), text: errorText(t, error) }),
  });

  const told: Readings | null = draft && readings(draft, frame, item.lens);
  return {
    image,
    frame,
    setFrame,
    draft,
    change: setOwn,
    reference: chosen,
    choose,
    look,
    byHand,
    search,
    held,
    hold: setHeld,
    told,
    /** Something is kept that can be removed. */
    isKept: kept !== null,
    isChanged: own !== undefined,
    canSave:
      own !== undefined &&
      (draft === null ? kept !== null : told?.valid === true && told.shapes.every(({ problem }) => !problem)),
    save: () => save.mutate(),
    saving: save.isPending,
    clear: () => setOwn(null),
  };
}

export type Measuring = ReturnType<typeof useMeasuring>;
