// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { filesOf, joined, readImages } from './images';

const png = (name: string, bytes = 3) => new File([new Uint8Array(bytes)], name, { type: 'image/png' });

it('reads images as they are sent', async () => {
  const { images, problems } = await readImages([png('a.png'), png('b.png')]);
  expect(images).toEqual([
    { name: 'a.png', src: 'data:image/png;base64,AAAA' },
    { name: 'b.png', src: 'data:image/png;base64,AAAA' },
  ]);
  expect(problems).toEqual([]);
});

it('leaves out what is no image, what is too large and what is one too many, and says so once', async () => {
  const files = [
    new File(['%PDF'], 'a.pdf', { type: 'application/pdf' }),
    new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }),
    png('large.png', 5 * 1024 * 1024 + 1),
    ...[1, 2, 3, 4, 5, 6, 7].map((n) => png(`${n}.png`)),
  ];
  const { images, problems } = await readImages(files);
  expect(images.map(({ name }) => name)).toEqual(['1.png', '2.png', '3.png', '4.png', '5.png']);
  expect(problems).toEqual(['kind', 'large', 'many']);
});

it('takes an image of exactly five megabytes', async () => {
  expect((await readImages([png('edge.png', 5 * 1024 * 1024)])).problems).toEqual([]);
});

it('never holds more than five', () => {
  const of = (n: number) => Array.from({ length: n }, (_, i) => ({ src: `s${i}`, name: `${i}` }));
  expect(joined(of(4), of(3))).toHaveLength(5);
  expect(joined([], of(2))).toHaveLength(2);
});

it('finds no files in a pasted text', () => {
  expect(filesOf(null)).toEqual([]);
  expect(filesOf({ files: [] as unknown as FileList })).toEqual([]);
});
