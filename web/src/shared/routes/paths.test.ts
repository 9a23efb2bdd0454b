import { expect, it } from 'vitest';
import { pages } from '@/api/generated/access';
import { paths } from './paths';

it.each(Object.entries(pages))('writes the address of %s as the table of pages has it', (name, { path }) => {
  const parameters = [...path.matchAll(/\{\w+\}/g)].map(([parameter]) => parameter);
  const write = paths[name as keyof typeof pages] as (...given: string[]) => string;
  expect(decodeURIComponent(write(...parameters))).toBe(path);
});

it('writes parameters so that none is a part of the path', () => {
  expect(paths.expedient('2026/1 ñ')).toBe('/expedient/2026%2F1%20%C3%B1');
});
