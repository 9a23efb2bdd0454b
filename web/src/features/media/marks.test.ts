import { expect, it } from 'vitest';
import { copyName } from './marks';

// DRAW-9
it.each([
  ['foto-001.png', 'foto-001-con-marcas.jpg'],
  ['IMG.2026.HEIC', 'IMG.2026-con-marcas.jpg'],
  ['foto', 'foto-con-marcas.jpg'],
  ['.jpg', '.jpg-con-marcas.jpg'],
])('a copy of %s is called %s', (name, expected) => expect(copyName(name, 'con-marcas')).toBe(expected));
