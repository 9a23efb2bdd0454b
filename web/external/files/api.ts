/** The calls of the upload page, except for the uploads themselves (`tus.ts`). */
import { API, ApiError } from '../api';
import type { Language } from '../model';
import { type FilesInfo, filesInfo } from './model';

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${API}/files/${path}`, { ...init, credentials: 'omit', cache: 'no-store' });
  } catch {
    throw new ApiError(0, 'NETWORK');
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => null);
    throw new ApiError(response.status, typeof problem?.code === 'string' ? problem.code : 'UNEXPECTED');
  }
  return response;
}

export const uploadsOf = (token: string) => `${location.origin}${API}/files/${token}/uploads`;

/** Only reads, because mail scanners open the page too (FILES-7). Errors: 404 `LINK_UNKNOWN`. */
export async function getRequest(token: string, language: Language): Promise<FilesInfo> {
  return filesInfo(await (await ask(`${token}?language=${language}`)).json());
}

/** Reports that a person has the page on the screen. A failure changes nothing for them. */
export async function sayOpened(token: string): Promise<void> {
  await ask(`${token}/open`, { method: 'POST' }).catch(() => undefined);
}

export async function finish(token: string): Promise<void> {
  await ask(`${token}/finish`, { method: 'POST' });
}

export async function sendPreview(token: string, mediaId: string, preview: Blob): Promise<void> {
  const form = new FormData();
  form.append('file', preview, 'preview.jpg');
  await ask(`${token}/preview/${mediaId}`, { method: 'POST', body: form });
}
