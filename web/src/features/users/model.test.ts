import { describe, expect, it } from 'vitest';
import type { Session } from '@/shared/session';
import { nuria, tokenWith } from '@/test/tokens';
import { invitableInto, memberRole, rightsOver, userChange, userProblems, userValues } from './model';

const as = (role: number): Session => ({
  token: tokenWith({ role }),
  claims: { sub: 'u1', jti: 'j', role, parent: 'c1', exp: 0, sk: 'k' },
  user: { ...nuria, role },
  menu: [],
});
const other = { ...nuria, _id: 'u2', role: 3, phone: '+34600123123' };

describe('who may be invited', () => {
  // Customer → workers, workshop → its operators, repairer → its operators.
  it.each([
    [1, 2, [3]],
    [1, 4, [5]],
    [1, 6, [7]],
    [1, 1, [3]],
    [3, 1, []],
    [2, 2, [3]],
    [4, 4, [5]],
    [6, 6, [7]],
    [2, 4, []],
    [3, 2, []],
    [8, 2, []],
    [1, Number.NaN, []],
  ])('role %i into a company of kind %i: %j', (role, kind, roles) => {
    expect(invitableInto(as(role), kind)).toEqual(roles);
  });

  it('knows the role next to the principal', () => {
    expect([1, 2, 4, 6, 3].map(memberRole)).toEqual([null, 3, 5, 7, null]);
  });
});

describe('rights over an account', () => {
  it('gives the administrator all of them', () => {
    expect(rightsOver(as(1), other)).toEqual({
      roles: [1, 2, 3, 4, 5, 6, 7, 8],
      statuses: [0, 1, 2, 3, 4, 5],
      support: true,
    });
    expect(rightsOver(as(1), { ...other, parent: 'c2' }).roles).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('gives a principal inactive and active over his members only', () => {
    expect(rightsOver(as(2), other)).toEqual({ roles: [3], statuses: [1, 2], support: false });
    for (const user of [
      { ...other, role: 2 },
      { ...other, role: 1 },
      { ...other, parent: 'c2' },
    ]) {
      expect(rightsOver(as(2), user).statuses).toEqual([]);
    }
    expect(rightsOver(as(3), other).statuses).toEqual([]);
  });

  it('gives nobody any over himself', () => {
    for (const role of [1, 2, 3, 8]) expect(rightsOver(as(role), { ...other, _id: 'u1' }).statuses).toEqual([]);
  });
});

describe('the form', () => {
  const values = userValues(other);

  it('tells every wrong field at once', () => {
    const wrong = { ...values, name: ' ', surname: 'x'.repeat(201), email: 'no', phone: '12345678' };
    expect(userProblems(wrong, other)).toEqual({
      name: 'REQUIRED',
      surname: 'TOO_LONG',
      email: 'EMAIL_INVALID',
      phone: 'PHONE_INCORRECT',
    });
    expect(userProblems(values, other)).toEqual({});
  });

  it('asks operators for a phone, and an e-mail of those who log in with one', () => {
    const bare = { ...values, email: '', phone: '' };
    expect(userProblems({ ...bare, role: '7' }, other)).toEqual({ email: 'REQUIRED', phone: 'PHONE_REQUIRED' });
    expect(userProblems(bare, { userName: '+34600123123', surname: 'Ruiz' })).toEqual({});
  });

  it('asks for no surname of somebody who never had one', () => {
    const none = { ...values, surname: ' ' };
    expect(userProblems(none, { ...other, surname: '' }).surname).toBeUndefined();
    expect(userProblems(none, other).surname).toBe('REQUIRED');
  });

  it('sends what may be set and nothing else', () => {
    const none = { roles: [], statuses: [], support: false };
    expect(userChange(other, { ...values, email: ' ' }, none)).toEqual({
      _id: 'u2',
      name: 'Nuria',
      surname: 'Ferrer Ñíguez',
      email: null,
      phone: '+34600123123',
      language: 'es',
    });
    expect(userChange(other, { ...values, status: '1', support: true }, rightsOver(as(1), other))).toMatchObject({
      role: 3,
      status: 1,
      support: true,
    });
    expect(userChange(other, values, rightsOver(as(2), other))).not.toHaveProperty('support');
  });
});
