import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FactList } from './FactList';

it('shows facts by name in their order and leaves out what is not known', () => {
  render(
    <FactList
      facts={[
        ['Número', '2026-1'],
        ['Matrícula', null],
        ['Contacto', ''],
        ['Teléfono', <b key="phone">600</b>],
      ]}
    />,
  );
  expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['Número', 'Teléfono']);
  expect(screen.getAllByRole('definition').map((value) => value.textContent)).toEqual(['2026-1', '600']);
});
