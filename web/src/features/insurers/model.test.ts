import { describe, expect, it } from 'vitest';
import type { Insurer } from '@/shared/company/insurers';
import { shownInsurers } from './model';

const all: Insurer[] = [
  { _id: '1', name: 'Ñandú Seguros', active: true, customers: 3 },
  { _id: '2', name: 'Nórdica', active: false, customers: 9 },
  { _id: '3', name: 'Océano', active: true, customers: 3 },
  { _id: '4', name: 'Atlántida', active: true, customers: 0 },
];
const list = { search: '', filters: {}, sort: 'name', page: 1, pageSize: 10 };
const names = (part: object) => shownInsurers(all, { ...list, ...part }).rows.map((row) => row.name);

describe('insurance companies', () => {
  it('sorts ñ after n, and by customers with the name as the second word', () => {
    expect(names({})).toEqual(['Atlántida', 'Nórdica', 'Ñandú Seguros', 'Océano']);
    expect(names({ sort: '-name' })).toEqual(['Océano', 'Ñandú Seguros', 'Nórdica', 'Atlántida']);
    expect(names({ sort: '-customers' })).toEqual(['Nórdica', 'Ñandú Seguros', 'Océano', 'Atlántida']);
  });

  it('finds without accents and case', () => {
    expect(names({ search: 'nandu' })).toEqual(['Ñandú Seguros']);
    expect(names({ search: 'OCÉ' })).toEqual(['Océano']);
  });

  it('filters and pages', () => {
    expect(names({ filters: { active: '0' } })).toEqual(['Nórdica']);
    expect(names({ filters: { active: '1' } })).toHaveLength(3);
    expect(shownInsurers(all, { ...list, page: 2, pageSize: 3 })).toEqual({ rows: [all[2]], total: 4 });
  });
});
