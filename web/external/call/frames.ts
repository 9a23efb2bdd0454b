/** Reading pictures out of a live track: for the "is it black?" check and for the sharpest frame. */

export interface Sampler {
  video: HTMLVideoElement;
  stop: () => void;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Plays the track in an element of its own, off the page. */
export async function sample(track: MediaStreamTrack): Promise<Sampler> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([track]);
  await Promise.race([video.play().catch(() => undefined), wait(2000)]);
  return {
    video,
    stop: () => {
      video.pause();
      video.srcObject = null;
    },
  };
}

/** Waits for the next presented frame, or 250 ms where the browser does not report it. */
export function nextFrame(video: HTMLVideoElement): Promise<void> {
  if (!('requestVideoFrameCallback' in video)) return wait(120);
  return Promise.race([new Promise<void>((resolve) => video.requestVideoFrameCallback(() => resolve())), wait(250)]);
}

/**
 * Sharpness of a grey picture: the variance of its Laplacian. Higher is sharper; only comparable between frames of the
 * same scene and size.
 */
export function sharpness(grey: ArrayLike<number>, width: number, height: number): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const value =
        4 * (grey[at] ?? 0) -
        (grey[at - 1] ?? 0) -
        (grey[at + 1] ?? 0) -
        (grey[at - width] ?? 0) -
        (grey[at + width] ?? 0);
      sum += value;
      squares += value * value;
      count++;
    }
  }
  if (!count) return 0;
  const mean = sum / count;
  return squares / count - mean * mean;
}

/** True when every pixel is nearly black, as from a lens that failed to start. */
export function isBlack(grey: ArrayLike<number>): boolean {
  for (let i = 0; i < grey.length; i++) if ((grey[i] ?? 0) > 8) return false;
  return true;
}

function greyOf(
  source: CanvasImageSource,
  sx: number,
  sy: number,
  sw: number,
  sh: number,
  w: number,
  h: number,
): Uint8Array {
  const canvas = document.createElement('canvas');
  canvas.width = w;
  canvas.height = h;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return new Uint8Array(w * h).fill(255);
  context.drawImage(source, sx, sy, sw, sh, 0, 0, w, h);
  const { data } = context.getImageData(0, 0, w, h);
  const grey = new Uint8Array(w * h);
  for (let i = 0; i < grey.length; i++) {
    grey[i] = ((data[i * 4] ?? 0) * 77 + (data[i * 4 + 1] ?? 0) * 150 + (data[i * 4 + 2] ?? 0) * 29) >> 8;
  }
  return grey;
}

/** Sharpness of the middle of the picture at its own scale, where the damage is. */
export function centreSharpness(canvas: HTMLCanvasElement): number {
  const side = Math.min(384, canvas.width, canvas.height);
  const x = (canvas.width - side) / 2;
  const y = (canvas.height - side) / 2;
  return sharpness(greyOf(canvas, x, y, side, side, side, side), side, side);
}

/** Waits for a frame that is not black; false when all are black for `ms`. */
export async function showsPicture(track: MediaStreamTrack, ms = 2000): Promise<boolean> {
  const sampler = await sample(track);
  try {
    const end = performance.now() + ms;
    do {
      const { video } = sampler;
      if (video.videoWidth && !isBlack(greyOf(video, 0, 0, video.videoWidth, video.videoHeight, 32, 32))) return true;
      await nextFrame(video);
      await wait(60);
    } while (performance.now() < end);
    return false;
  } finally {
    sampler.stop();
  }
}
