/** Connects the sending with this browser's storage and network. A chunk of its own, because it contains the tus client. */
import type { FilesInfo } from './model';
import type { Queue, QueueEvent } from './queue';
import { pause, Sending } from './sending';
import { openStore } from './store';
import { sendOnce, type Try } from './tus';

export interface Start {
  token: string;
  /** Where uploads are created. */
  endpoint: string;
  look: () => Promise<FilesInfo>;
  sendPreview: (mediaId: string, preview: Blob) => Promise<void>;
  tell: (queue: Queue, event: QueueEvent) => void;
  closed: () => void;
}

export function startSending({ token, endpoint, look, sendPreview, tell, closed }: Start): Sending {
  const world = {
    store: openStore(),
    send: (work: Try) => sendOnce(work),
    look,
    sendPreview,
    now: () => Date.now(),
    pause,
  };
  const sending = new Sending(token, endpoint, world, tell, closed);
  if (navigator.onLine === false) sending.offline();
  void sending.start();
  return sending;
}

/** A request that accepts nothing any more leaves nothing on the phone. */
export async function forgetAll(token: string): Promise<void> {
  const store = openStore();
  for (const { entry } of await store.all(token)) await store.remove(entry.key);
}
