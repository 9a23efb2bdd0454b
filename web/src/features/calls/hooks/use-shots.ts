import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ConferenceShot, ShotState } from '@/api/types';
import type { Still } from '@/rtc';
import { conferenceShots } from '@/shared/conference/api';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { tickShot } from '../api';
import { type NextChoice, nextShot } from '../shots';

export interface CallShots {
  /** Empty while unknown. */
  list: ConferenceShot[];
  /** What the next picture is for; `null` for one outside the list. */
  next: ConferenceShot | null;
  free: boolean;
  /** Keys of the shots whose picture is being taken. */
  onTheWay: ReadonlySet<string>;
  choose: (choice: NextChoice) => void;
  /** A picture was asked for: it is for the next shot. */
  asked: (stillId: string) => void;
  mark: (key: string, state: ShotState, mediaId?: string) => void;
}

const RUNNING: Still['state'][] = ['asked', 'capturing', 'uploading'];

/**
 * The shot list of the conference: which photo is next, and the tick when it has arrived. A picture is tied to its shot
 * when it is asked for, so that choosing another one meanwhile changes nothing about it.
 */
export function useShots(conferenceId: string, stills: readonly Still[]): CallShots {
  const t = useT();
  const queries = useQueryClient();
  const { queryKey } = conferenceShots(conferenceId);
  const list = useQuery(conferenceShots(conferenceId)).data ?? NONE;
  const [chosen, setChosen] = useState<NextChoice>(null);
  const [wanted, setWanted] = useState<ReadonlyMap<string, string>>(new Map());

  const tick = useMutation({
    mutationFn: (change: { key: string; state: ShotState; mediaId?: string }) => tickShot(conferenceId, change),
    onSuccess: (shots) => queries.setQueryData(queryKey, shots),
    onError: (error, change) =>
      toast.error({
        title: t('call.shotFailed'),
        text: errorText(t, error),
        action: { label: t('common.retry'), run: () => tick.mutate(change) },
      }),
  });
  const { mutate } = tick;

  // A picture arrived or failed: its shot is ticked, or free to be taken again.
  useEffect(() => {
    const over = stills.filter((still) => wanted.has(still.id) && !RUNNING.includes(still.state));
    if (over.length === 0) return;
    for (const { id, state, mediaId } of over) {
      const key = wanted.get(id);
      if (key && state === 'done' && mediaId) mutate({ key, state: 'done', mediaId });
    }
    const gone = new Set(over.map((still) => still.id));
    setWanted((before) => new Map([...before].filter(([id]) => !gone.has(id))));
  }, [stills, wanted, mutate]);

  const onTheWay = useMemo(() => new Set(wanted.values()), [wanted]);
  const next = nextShot(list, chosen, onTheWay);
  const nextKey = next?.key;
  const asked = useCallback(
    (stillId: string) => {
      if (!nextKey) return;
      setWanted((before) => new Map(before).set(stillId, nextKey));
      // One choice is for one picture; afterwards the list leads on.
      setChosen(null);
    },
    [nextKey],
  );
  const mark = useCallback(
    (key: string, state: ShotState, mediaId?: string) => mutate({ key, state, ...(mediaId ? { mediaId } : {}) }),
    [mutate],
  );
  return { list, next, free: chosen === 'free', onTheWay, choose: setChosen, asked, mark };
}

const NONE: ConferenceShot[] = [];
