import { limits } from '@/api/generated/limits';
import type { NewImage } from './types';

/** What the server takes, told by its content there. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

export type ImageProblem = 'many' | 'large' | 'kind' | 'read';

/** Whole megabytes of one image, for the texts. */
export const IMAGE_MEGABYTES = Math.floor(limits.incidenceFileMaxBytes / 1024 / 1024);

const dataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** What was dropped, pasted or chosen, as it is sent, and what is wrong with the rest, which is left out. */
export async function readImages(files: readonly File[]): Promise<{ images: NewImage[]; problems: ImageProblem[] }> {
  const images: NewImage[] = [];
  const problems = new Set<ImageProblem>();
  for (const file of files) {
    if (!IMAGE_TYPES.includes(file.type)) problems.add('kind');
    else if (file.size > limits.incidenceFileMaxBytes) problems.add('large');
    // What comes after the last that can be taken is not even read.
    else if (images.length >= limits.incidenceFilesMax) problems.add('many');
    else {
      const src = await dataUrl(file).catch(() => null);
      if (src) images.push({ src, name: file.name || 'imagen' });
      else problems.add('read');
    }
  }
  return { images, problems: [...problems] };
}

/** As many of the new ones as fit beside those that are there. */
export const joined = (known: readonly NewImage[], more: readonly NewImage[]): NewImage[] =>
  [...known, ...more].slice(0, limits.incidenceFilesMax);

/** The files of a paste or a drop. A text that is pasted has none. */
export const filesOf = (transfer: Pick<DataTransfer, 'files'> | null): File[] => [...(transfer?.files ?? [])];
