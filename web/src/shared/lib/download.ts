import { send } from '@/api/client';

/** The file name of a `Content-Disposition` header (RFC 6266), or `fallback`. */
export function fileName(disposition: string | null, fallback: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended);
    } catch {
      return fallback;
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]?.trim() || fallback;
}

/** Loads a file through the API client, with its bearer header, and lets the browser save it; a `body` is posted. Throws `ApiError`. */
export async function download(
  path: string,
  query: Record<string, string>,
  fallback: string,
  body?: unknown,
): Promise<void> {
  const response = await send(body === undefined ? 'GET' : 'POST', `${path}?${new URLSearchParams(query)}`, { body });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(response.headers.get('Content-Disposition'), fallback);
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the blob after the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The workbook of a list call with the same filter. Throws `ApiError`. */
export const downloadXlsx = (path: string, query: Record<string, string>, fallback: string, body?: unknown) =>
  download(path, { ...query, format: 'xlsx' }, `${fallback}.xlsx`, body);
