import { BlobReader, configure, TextWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { Sha256 } from './sha256';

// This runs in a worker of the page already; further ones would need a policy of their own.
configure({ useWebWorkers: false });

/** A file of a case's archive with its digest. */
export interface ArchivedFile {
  path: string;
  sha256: string;
}

/** Bytes of a manifest that are read at most; more is no manifest of ours. */
const MANIFEST_MAX = 32 * 1024 * 1024;

/** Whether a file is an archive, by its first bytes. */
export const isArchive = async (file: Blob) => {
  const [a, b, c, d] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return a === 0x50 && b === 0x4b && c === 3 && d === 4;
};

/**
 * The digests of what an archive of ours calls media, by its manifest; of another archive those of all its files. `onRead`
 * gets the bytes read so far. Throws when the archive cannot be read.
 */
export async function digestsOf(file: Blob, onRead: (bytes: number) => void): Promise<ArchivedFile[]> {
  const reader = new ZipReader(new BlobReader(file));
  const entries = (await reader.getEntries()).filter((entry) => !entry.directory);
  const manifest = entries.find(({ filename }) => filename === 'manifest.json');
  const media =
    manifest && manifest.uncompressedSize <= MANIFEST_MAX ? pathsOf(await manifest.getData(new TextWriter())) : null;
  const found: ArchivedFile[] = [];
  let before = 0;
  for (const entry of entries) {
    if (media && !media.has(entry.filename)) continue;
    const digest = new Sha256();
    await entry.getData(
      new WritableStream<Uint8Array>({
        write(chunk) {
          digest.update(chunk);
          before += chunk.length;
          onRead(before);
        },
      }),
    );
    found.push({ path: entry.filename, sha256: digest.hex() });
  }
  await reader.close();
  return found;
}

/** Where a manifest says that the case's files are; null when it is none of ours. */
function pathsOf(text: string): Set<string> | null {
  try {
    const { media } = JSON.parse(text) as { media?: { path?: string | null }[] };
    return Array.isArray(media) ? new Set(media.flatMap(({ path }) => (path ? [path] : []))) : null;
  } catch {
    return null;
  }
}
