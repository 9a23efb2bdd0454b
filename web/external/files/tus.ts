/** One try at sending one file by tus 1.0.0 (tus.io), from the server's offset on. */
import { type DetailedError, type HttpStack, Upload } from 'tus-js-client';
import { type Entry, fateOf } from './queue';

export type Outcome =
  /** `mediaId` null: the server had all bytes already, so the outcome has to be asked for. */
  | { kind: 'accepted'; mediaId: string | null }
  | { kind: 'refused' | 'closed'; code: string }
  | { kind: 'again' | 'anew' };

export interface Try {
  entry: Entry;
  blob: Blob;
  /** `…/{token}/uploads`. */
  endpoint: string;
  onUrl: (url: string) => void;
  onSent: (bytes: number) => void;
}

/** Small enough that a proxy which buffers loses little, large enough that the pauses between do not matter. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** A connection without progress for this long is given up. */
const STALL_MS = 30_000;

export function codeIn(body: string): string {
  try {
    const code: unknown = JSON.parse(body).code;
    return typeof code === 'string' ? code : '';
  } catch {
    return '';
  }
}

function outcomeOf(error: Error | DetailedError): Outcome {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  const code = response ? codeIn(response.getBody() ?? '') : '';
  const fate = fateOf(response?.getStatus() ?? 0, code);
  return fate === 'refused' || fate === 'closed' ? { kind: fate, code: code || 'LINK_EXPIRED' } : { kind: fate };
}

function metadata(entry: Entry): Record<string, string> {
  const { name, type, itemId, key, capturedAt, width, height } = entry;
  const size: Record<string, string> = width && height ? { width: String(width), height: String(height) } : {};
  return { filename: name, filetype: type, item: itemId, uploadKey: key, capturedAt, ...size };
}

export interface Means {
  /** How requests are made; the browser's own when absent. */
  stack?: HttpStack;
  stallMs?: number;
  chunkBytes?: number;
}

export function sendOnce(
  work: Try,
  { stack, stallMs = STALL_MS, chunkBytes = CHUNK_BYTES }: Means = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const upload = new Upload(work.blob, {
      endpoint: work.endpoint,
      uploadUrl: work.entry.url,
      metadata: metadata(work.entry),
      chunkSize: chunkBytes,
      // The queue decides when to try again; it keeps the address itself.
      retryDelays: null,
      storeFingerprintForResuming: false,
      ...(stack ? { httpStack: stack } : {}),
      onUploadUrlAvailable: () => {
        if (upload.url) work.onUrl(upload.url);
      },
      onProgress: (bytes) => {
        moving();
        work.onSent(bytes);
      },
      onSuccess: ({ lastResponse }) =>
        finish({ kind: 'accepted', mediaId: lastResponse?.getHeader('Upload-Media') || null }),
      onError: (error) => finish(outcomeOf(error)),
    });
    function moving() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        void upload.abort().catch(() => undefined);
        finish({ kind: 'again' });
      }, stallMs);
    }
    moving();
    upload.start();
  });
}
