/**
 * A still in the camera's full resolution (CLIENT-24): `takePhoto`; else the sharpest of some frames at the camera's
 * largest size. `method`, `width` and `height` say what was really captured.
 */
import { centreSharpness, nextFrame, sample } from './frames';

export type Method = 'takePhoto' | 'frame' | 'file';

export interface Still {
  blob: Blob;
  method: Method;
  width: number;
  height: number;
}

/** Runs work while the stream is not encoded (the change of size would be, otherwise). */
export type Quietly = <T>(work: () => Promise<T>) => Promise<T>;

interface PhotoSettings {
  imageWidth?: number;
  imageHeight?: number;
}
interface PhotoCapabilities {
  imageWidth?: { max: number };
  imageHeight?: { max: number };
}
interface ImageCaptureLike {
  takePhoto(settings?: PhotoSettings): Promise<Blob>;
  getPhotoCapabilities?(): Promise<PhotoCapabilities>;
}

const PHOTO_MS = 8000;
// A slow phone takes its time to change size; a fast one ends the wait early.
const SETTLE_MS = 4000;
const FRAMES = 6;
const QUALITY = 0.95;

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  return Promise.race([work, new Promise<never>((_, reject) => setTimeout(() => reject(new Error('TIMEOUT')), ms))]);
}

/** Size of a picture as it will be seen (its orientation applied). */
export async function sizeOf(blob: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(blob);
  const size = { width: bitmap.width, height: bitmap.height };
  bitmap.close();
  return size;
}

async function photo(track: MediaStreamTrack): Promise<Still | null> {
  const Capture = (globalThis as { ImageCapture?: new (track: MediaStreamTrack) => ImageCaptureLike }).ImageCapture;
  if (!Capture) return null;
  try {
    const capture = new Capture(track);
    const nothing: PhotoCapabilities = {};
    const asked = capture.getPhotoCapabilities?.() ?? Promise.resolve(nothing);
    const can = await within(asked, 2000).catch(() => nothing);
    const settings: PhotoSettings =
      can.imageWidth?.max && can.imageHeight?.max
        ? { imageWidth: can.imageWidth.max, imageHeight: can.imageHeight.max }
        : {};
    const blob = await within(capture.takePhoto(settings), PHOTO_MS).catch(() => within(capture.takePhoto(), PHOTO_MS));
    return { blob, method: 'takePhoto', ...(await sizeOf(blob)) };
  } catch {
    return null;
  }
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('NO_PICTURE'))), 'image/jpeg', QUALITY),
  );
}

function draw(video: HTMLVideoElement): HTMLCanvasElement | null {
  if (!video.videoWidth) return null;
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return canvas;
}

/** Largest picture the lens can stream, in pixels; 0 when the browser does not say. */
function largest(track: MediaStreamTrack): { width: number; height: number } {
  const can = track.getCapabilities?.() ?? {};
  return { width: can.width?.max ?? 0, height: can.height?.max ?? 0 };
}

async function sharpestFrame(track: MediaStreamTrack): Promise<Still | null> {
  const { advanced: _, ...before } = track.getConstraints();
  const max = largest(track);
  const raise = max.width > 0 && max.height > 0;
  if (raise) {
    await track
      .applyConstraints({ ...before, width: { ideal: max.width }, height: { ideal: max.height } })
      .catch(() => undefined);
  }
  const sampler = await sample(track);
  try {
    const { video } = sampler;
    const wanted = raise ? Math.max(track.getSettings().width ?? 0, track.getSettings().height ?? 0) : 0;
    const end = performance.now() + SETTLE_MS;
    while (Math.max(video.videoWidth, video.videoHeight) < wanted && performance.now() < end) await nextFrame(video);
    let best: { canvas: HTMLCanvasElement; sharp: number } | null = null;
    for (let i = 0; i < FRAMES; i++) {
      await nextFrame(video);
      const canvas = draw(video);
      if (!canvas) continue;
      const sharp = centreSharpness(canvas);
      if (!best || sharp > best.sharp) best = { canvas, sharp };
    }
    if (!best) return null;
    const { canvas } = best;
    return { blob: await toBlob(canvas), method: 'frame', width: canvas.width, height: canvas.height };
  } catch {
    return null;
  } finally {
    sampler.stop();
    if (raise) await track.applyConstraints(before).catch(() => undefined);
  }
}

/** Null when the track gives no picture at all: then the phone's own camera app is offered. */
export async function takeStill(track: MediaStreamTrack, quietly: Quietly): Promise<Still | null> {
  if (track.readyState !== 'live') return null;
  const taken = await photo(track);
  const max = largest(track);
  // Some cameras answer takePhoto with the stream's size although they can stream more.
  if (taken && taken.width * taken.height >= 0.9 * max.width * max.height) return taken;
  const frame = await quietly(() => sharpestFrame(track));
  if (!taken || !frame) return taken ?? frame;
  return frame.width * frame.height > taken.width * taken.height ? frame : taken;
}
