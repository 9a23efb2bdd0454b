import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Place } from '@/api/types';
import { useTexts } from '@/test/texts';
import { PlaceNote } from './PlaceNote';

const place = (changes: Partial<Place>) =>
  ({
    address: null,
    distanceM: null,
    province: 'Madrid',
    insuredProvince: 'Valencia/València',
    verdict: null,
    ...changes,
  }) as Place;
const note = (changes: Partial<Place>) => render(<PlaceNote place={place(changes)} />).container;

beforeAll(() => useTexts());
afterEach(() => cleanup());

// PLACE-1, PLACE-3
it('says address and distance, amber only when it is far', () => {
  const near = note({ address: 'Plaza Mayor 1, Madrid', distanceM: 320, verdict: 'near' });
  expect(screen.getByText('Plaza Mayor 1, Madrid')).toBeTruthy();
  expect(near.textContent).toContain('320 m');
  expect(near.querySelector('svg')).toBeNull();
  const far = note({ distanceM: 1_468, verdict: 'far' });
  expect(far.textContent).toContain('1,5 km');
  expect(far.querySelector('svg')).not.toBeNull();
  expect(far.querySelector('p')?.className).not.toBe(near.querySelectorAll('p')[1]?.className);
});

// PLACE-2
it('compares the province without a distance, and says so', () => {
  const same = note({ verdict: 'sameProvince' });
  expect(same.textContent).toMatch(/Distancia sin calcular.*Madrid/);
  expect(same.querySelector('svg')).toBeNull();
  const other = note({ verdict: 'otherProvince' });
  expect(other.textContent).toContain('Madrid');
  expect(other.textContent).toContain('Valencia/València');
  expect(other.querySelector('svg')).not.toBeNull();
});

it('is silent where there is nothing to say', () => {
  expect(note({}).textContent).toBe('');
  expect(render(<PlaceNote place={null} />).container.textContent).toBe('');
});
