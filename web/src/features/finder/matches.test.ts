import { expect, test } from 'vitest';
import { matches } from './matches';

test('each word begins a word of the label, whatever its accents', () => {
  expect(matches('Nueva videollamada', 'vide')).toBe(true);
  expect(matches('Estadísticas', 'estadis')).toBe(true);
  expect(matches('Solicitudes de videollamada', 'video soli')).toBe(true);
  expect(matches('Facturas', 'acturas')).toBe(false);
  expect(matches('Facturas', '')).toBe(true);
});
