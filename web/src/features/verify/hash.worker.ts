import { type ArchivedFile, digestsOf, isArchive } from './archive';
import { Sha256 } from './sha256';

/** What the page sends: a file to hash, under a number of its own. */
export interface HashJob {
  id: number;
  file: File;
}

/** What comes back: bytes read so far, then the digest, of an archive its files' too; or that it could not be read. */
export type HashNews = { id: number } & (
  | { read: number }
  | { sha256: string; archive?: ArchivedFile[] }
  | { failed: true }
);

/** Bytes between two pieces of news. */
const NEWS_EVERY = 4 * 1024 * 1024;

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<HashJob>) => void) | null;
  postMessage: (news: HashNews) => void;
};

let last = Promise.resolve();
// One after another: a phone reads one file faster than two.
scope.onmessage = ({ data }) => {
  last = last.then(() => hash(data));
};

async function hash({ id, file }: HashJob): Promise<void> {
  try {
    const digest = new Sha256();
    const reader = file.stream().getReader();
    let read = 0;
    let told = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      digest.update(value);
      read += value.length;
      if (read - told < NEWS_EVERY) continue;
      told = read;
      scope.postMessage({ id, read });
    }
    const archive = (await isArchive(file)) ? await digestsOf(file, () => undefined) : undefined;
    scope.postMessage({ id, sha256: digest.hex(), archive });
  } catch {
    scope.postMessage({ id, failed: true });
  }
}
