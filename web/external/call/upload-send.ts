/** One try at sending one photo: multipart, `meta` before `file`, with the percentage as it goes. */
import { API, track } from '../api';
import { sha256 } from '../device-key';
import type { Photo } from './uploads';

export type Outcome = { kind: 'done'; mediaId: string } | { kind: 'retry' } | { kind: 'refused'; code: string };

const TIMEOUT_MS = 120_000;

/** The outcome of a finished request: without an answer, or with a busy or broken server, a retry; otherwise final. */
export function outcomeOf(status: number, body: string): Outcome {
  if (status >= 200 && status < 300) {
    try {
      return { kind: 'done', mediaId: String(JSON.parse(body).media?._id ?? '') };
    } catch {
      return { kind: 'retry' };
    }
  }
  if (status === 0 || status === 408 || status === 429 || status >= 500) return { kind: 'retry' };
  let code = 'UPLOAD_FAILED';
  try {
    code = JSON.parse(body).code ?? code;
  } catch {
    // A proxy answered with a page of its own.
  }
  return { kind: 'refused', code };
}

const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'image/webp': 'webp', 'image/heic': 'heic' };

/** Lower-case hex of the SHA-256 of the photo's bytes. */
export async function digestOf(blob: Blob): Promise<string> {
  return sha256(await blob.arrayBuffer());
}

export async function announcePhoto({ captureId, hash, blob }: Photo, clientKey: string): Promise<boolean> {
  return track(hash, clientKey, 'CAPTURE_ANNOUNCED', { captureId, sha256: await digestOf(blob) });
}

export function sendPhoto(photo: Photo, clientKey: string, onPercent: (percent: number) => void): Promise<Outcome> {
  return new Promise((resolve) => {
    const form = new FormData();
    form.append('meta', JSON.stringify(photo.meta));
    form.append('file', photo.blob, `${photo.captureId}.${EXTENSIONS[photo.meta.mime] ?? 'jpg'}`);
    const request = new XMLHttpRequest();
    request.open('POST', `${API}/${photo.hash}/media`);
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader('x-client-key', clientKey);
    let last = 0;
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      const percent = lengthComputable && total ? Math.min(99, Math.floor((loaded / total) * 100)) : 0;
      if (percent - last < 5) return;
      last = percent;
      onPercent(percent);
    };
    request.onloadend = () => resolve(outcomeOf(request.status, request.responseText));
    request.send(form);
  });
}
