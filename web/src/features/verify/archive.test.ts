import { createHash } from 'node:crypto';
import { BlobWriter, configure, TextReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { expect, it, vi } from 'vitest';
import { digestsOf, isArchive } from './archive';

configure({ useWebWorkers: false });
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

async function zip(files: Record<string, string>): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter('application/zip'));
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text));
  return writer.close();
}

it('hashes the media that the manifest names, and nothing beside them', async () => {
  const manifest = JSON.stringify({ media: [{ path: 'golpe.jpg' }, { path: null }, { path: 'b/parte.pdf' }] });
  const file = await zip({
    'manifest.json': manifest,
    'golpe.jpg': 'one',
    'b/parte.pdf': 'two',
    'verificador.html': 'x',
  });
  const read = vi.fn();
  expect(await isArchive(file)).toBe(true);
  expect(await digestsOf(file, read)).toEqual([
    { path: 'golpe.jpg', sha256: hash('one') },
    { path: 'b/parte.pdf', sha256: hash('two') },
  ]);
  expect(read).toHaveBeenLastCalledWith(6);
});

it('hashes everything of another archive, and fails on a torn one', async () => {
  const file = await zip({ 'a.txt': 'one', 'manifest.json': '{"name":"an extension"}' });
  expect((await digestsOf(file, () => undefined)).map(({ path }) => path)).toEqual(['a.txt', 'manifest.json']);
  await expect(digestsOf(file.slice(0, 40), () => undefined)).rejects.toThrow();
  expect(await isArchive(new Blob(['no']))).toBe(false);
});
