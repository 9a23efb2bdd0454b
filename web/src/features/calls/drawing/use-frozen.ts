import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Drawing, MediaItem } from '@/api/types';
import type { CallEngine, Still } from '@/rtc';
import { drawingsQuery } from '@/shared/conference/api';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { stillFailure } from '../problems';
import { freezeAt } from './api';

export interface FrozenCall {
  /** The picture that the call is frozen at; null while it lives. */
  item: MediaItem | null;
  /** What the server has of its drawing. */
  drawing: Drawing | null;
  /** The photo is on its way. */
  busy: boolean;
  /** How often freezing failed. */
  failures: number;
  freeze: () => void;
  unfreeze: () => void;
}

interface FrozenInput {
  conferenceId: string;
  engine: CallEngine;
  media: readonly MediaItem[];
  stills: readonly Still[];
  /** Shown on the client's phone. */
  myName: string;
}

/** Freezing takes a photo as any other, and freezes both sides at it once it has arrived (DRAW-1). */
export function useFrozen({ conferenceId, engine, media, stills, myName }: FrozenInput): FrozenCall {
  const t = useT();
  const queries = useQueryClient();
  const query = drawingsQuery(conferenceId);
  const { data } = useQuery(query);
  const [asked, setAsked] = useState<string | null>(null);
  const [failures, setFailures] = useState(0);
  const failed = useCallback(
    (text: string) => {
      setAsked(null);
      setFailures((before) => before + 1);
      toast.error({ title: t('call.freezeFailed'), text });
    },
    [t],
  );
  const at = useMutation({
    mutationFn: (mediaId: string | null) => freezeAt(conferenceId, mediaId),
    onSuccess: (frozen) => queries.setQueryData(query.queryKey, (known) => known && { ...known, frozen }),
    onError: (error) => failed(errorText(t, error)),
    onSettled: () => setAsked(null),
  });

  const freeze = useCallback(async () => {
    const before = new Set(engine.client.state.get().stills.map(({ id }) => id));
    const sending = engine.client.takeStill(myName);
    setAsked(engine.client.state.get().stills.find(({ id }) => !before.has(id))?.id ?? null);
    const error = await sending;
    if (error) failed(t(error === 'STILLS_BUSY' ? 'call.stillsBusy' : 'call.commandFailed'));
  }, [engine, myName, failed, t]);

  const still = stills.find(({ id }) => id === asked);
  const told = useRef<string | null>(null);
  const { mutate } = at;
  useEffect(() => {
    if (!still || told.current === still.id || (still.state !== 'done' && still.state !== 'failed')) return;
    told.current = still.id;
    if (still.state === 'done' && still.mediaId) mutate(still.mediaId);
    else failed(stillFailure(t, still.reason));
  }, [still, mutate, failed, t]);

  const mediaId = data?.frozen?.mediaId;
  return {
    item: media.find(({ _id, expired }) => _id === mediaId && !expired) ?? null,
    drawing: data?.drawings.find((one) => one.mediaId === mediaId) ?? null,
    busy: asked !== null || at.isPending,
    failures,
    freeze: () => void freeze(),
    unfreeze: () => mutate(null),
  };
}
