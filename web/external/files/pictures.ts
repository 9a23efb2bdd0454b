/** What the phone can tell about a picture before it is sent: its size, whether it is sharp, and a small copy. */
import { type Grey, JUDGED, judge, type Verdict } from './quality';

const PREVIEW_SIDE = 1600;
const PREVIEW_BYTES = 2 * 1024 * 1024;

export interface Look {
  width: number;
  height: number;
  verdict: Verdict;
  /** Only for a format that not every browser shows (HEIC). */
  preview: Blob | null;
}

export function greyOf(source: CanvasImageSource, width: number, height: number): Grey {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const pixels = new Uint8Array(width * height);
  if (!context) return { pixels: pixels.fill(128), width, height };
  context.drawImage(source, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  for (let i = 0; i < pixels.length; i++) {
    pixels[i] = ((data[i * 4] ?? 0) * 77 + (data[i * 4 + 1] ?? 0) * 150 + (data[i * 4 + 2] ?? 0) * 29) >> 8;
  }
  return { pixels, width, height };
}

function fitted(width: number, height: number, side: number): [number, number] {
  const scale = Math.min(1, side / Math.max(width, height, 1));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

function jpeg(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}

async function smallCopy(bitmap: ImageBitmap): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = fitted(bitmap.width, bitmap.height, PREVIEW_SIDE);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.85, 0.6]) {
    const blob = await jpeg(canvas, quality);
    if (blob && blob.size <= PREVIEW_BYTES) return blob;
  }
  return null;
}

export const isHeic = (file: { type: string; name: string }): boolean =>
  /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);

/** Null when this browser cannot decode it: then it is sent as it is. */
export async function lookAt(file: File | Blob, name: string, close: boolean): Promise<Look | null> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return null;
  }
  try {
    const { width, height } = bitmap;
    const grey = greyOf(bitmap, ...fitted(width, height, JUDGED));
    const verdict = judge(grey, { close, longSide: Math.max(width, height) });
    return { width, height, verdict, preview: isHeic({ type: file.type, name }) ? await smallCopy(bitmap) : null };
  } finally {
    bitmap.close();
  }
}
