import { operation } from '@/api/operation';
import type { Drawing, Frozen } from '@/api/types';
import type { Mark } from '@/rtc';

/** Freezes the call at a picture; null lets it live again. */
export async function freezeAt(conferenceId: string, mediaId: string | null): Promise<Frozen | null> {
  const given = { path: { id: conferenceId }, body: { mediaId } };
  return (await operation('put', '/api/v1/conference-frozen/{id}', given)).frozen as Frozen | null;
}

/** Adds marks to a picture and removes others. Throws `ApiError`. */
export async function changeDrawing(mediaId: string, drawing: { add: Mark[]; remove: string[] }): Promise<Drawing> {
  const given = { path: { id: mediaId }, body: { drawing: drawing as never } };
  return (await operation('put', '/api/v1/media-drawing/{id}', given)).drawing as Drawing;
}
