import { scriptAddress } from '@/shared/lib/trusted';
import type { Corners } from './corners';
import type { CornerJob, CornerNews } from './corners.worker';
import cornersWorker from './corners.worker.ts?worker&url';
import type { Point } from './geometry';

/** Longest side of what is searched: edges are found to a tenth of a pixel. */
const SIDE = 960;
/** A phone that is busy with a call. Milliseconds. */
const PATIENCE_MS = 15_000;

/**
 * The corners of a thing of this size in a picture that is shown, or `null` when there is none. Throws when this browser cannot look.
 * `near` is a place of the frame, from 0 to 1, that lies in it.
 */
export async function findInPicture(image: HTMLImageElement, size: Point, near?: Point): Promise<Corners | null> {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, SIDE / Math.max(naturalWidth, naturalHeight));
  const [width, height] = [Math.round(naturalWidth * scale), Math.round(naturalHeight * scale)];
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) throw new Error('NO_CANVAS');
  pen.drawImage(image, 0, 0, width, height);
  const { data } = pen.getImageData(0, 0, width, height);
  const worker = new Worker(scriptAddress(cornersWorker), { type: 'module' });
  let patience: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Corners | null>((resolve, reject) => {
      worker.onmessage = ({ data: news }: MessageEvent<CornerNews>) => resolve(news.found);
      worker.onerror = () => reject(new Error('NO_WORKER'));
      patience = setTimeout(() => reject(new Error('TOO_LONG')), PATIENCE_MS);
      const job: CornerJob = { pixels: { data, width, height }, size, near };
      worker.postMessage(job, [data.buffer]);
    });
  } finally {
    clearTimeout(patience);
    worker.terminate();
  }
}
