import { send } from '@/api/client';
import { download } from './download';

/**
 * Shows a file of the API, such as an invoice's PDF, in a tab of its own: it comes with the bearer header, which a plain
 * link would not send. Where the browser opens no tab, the file is saved instead. Throws `ApiError`.
 */
export async function openFile(path: string, fallback: string): Promise<void> {
  // Only a tab opened in the click itself is let through.
  const tab = window.open('', '_blank');
  if (!tab) return download(path, {}, fallback);
  tab.opener = null;
  try {
    const response = await send('GET', path, {});
    const url = URL.createObjectURL(await response.blob());
    tab.location.replace(url);
    // Long enough to be read and saved from the viewer.
    setTimeout(() => URL.revokeObjectURL(url), 600_000);
  } catch (error) {
    tab.close();
    throw error;
  }
}
