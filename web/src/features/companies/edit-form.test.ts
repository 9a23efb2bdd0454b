// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { companyValues } from '@/shared/company/company-form';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { changeOf, editErrors, extraErrors, extraValues, rebased } from './edit-form';
import { acceptances, periodOf } from './model';
import { levante, platformCompany } from './testing';

beforeAll(() => useTexts());

const values = (part = {}) => ({ ...companyValues(levante), ...part });
const extra = (part = {}) => ({ ...extraValues(levante), ...part });

describe('what is saved', () => {
  it('is nothing when nothing changed, spaces and spelling of a phone included', () => {
    expect(changeOf(levante, values(), extra())).toBeNull();
    expect(changeOf(levante, values({ name: ' Nuria Ferrer ', mobile: '612034578' }), extra())).toBeNull();
  });

  it('is only what changed', () => {
    expect(changeOf(levante, values({ city: 'Sagunto', phone: '961 234 567' }), extra())).toEqual({
      _id: 'c1',
      city: 'Sagunto',
      phone: '+34961234567',
    });
  });

  it('never takes an IBAN away, and sends a new one tidy', () => {
    expect(changeOf(levante, values({ bankAccount: '' }), null)).toBeNull();
    expect(changeOf(levante, values({ bankAccount: 'es91 2100 0418 4502 0005 1332' }), null)).toEqual({
      _id: 'c1',
      bankAccount: 'ES9121000418450200051332',
    });
  });

  it("keeps the administrator's keys from everybody else", () => {
    expect(changeOf(levante, values(), null)).toBeNull();
    expect(changeOf(levante, values(), extra({ status: '5', payStart: '2027-01-01', retentionDays: '60' }))).toEqual({
      _id: 'c1',
      status: 5,
      pay_startAt: '2026-12-31T23:00:00.000Z',
      retentionDays: 60,
    });
    expect(changeOf({ ...levante, retentionDays: 60 }, values(), extra({ retentionDays: '', payStart: '' }))).toEqual({
      _id: 'c1',
      pay_startAt: null,
      retentionDays: null,
    });
  });

  it('has the issuer data of the platform company alone', () => {
    const own = { ...extraValues(platformCompany), bic: 'caix esbb', creditorSuffix: '0a1', status: '5' };
    expect(changeOf(platformCompany, companyValues(platformCompany), own)).toEqual({
      _id: 'plat',
      bic: 'CAIXESBB',
      creditorSuffix: '0A1',
    });
  });
});

describe('what is wrong', () => {
  it('is said for every field at once', () => {
    const wrong = extra({ retentionDays: '0', payStart: '2026-02-31', bic: 'CAIX', creditorSuffix: '12' });
    expect(Object.keys(extraErrors(t, wrong)).sort()).toEqual(['bic', 'creditorSuffix', 'payStart', 'retentionDays']);
    expect(extraErrors(t, extra({ retentionDays: '3651' })).retentionDays).toBe('Un número de 1 a 3650');
    expect(extraErrors(t, extra({ retentionDays: '3650', bic: 'CAIXESBBXXX', creditorSuffix: '000' }))).toEqual({});
  });

  it('asks only for a name of the platform, and still refuses what is wrong', () => {
    const emptied = { ...companyValues({ name: 'Ana' }) };
    expect(editErrors(t, platformCompany, emptied)).toEqual({});
    const wrong = { ...emptied, name: '', cif: 'B12345678' };
    expect(Object.keys(editErrors(t, platformCompany, wrong)).sort()).toEqual(['cif', 'name']);
    expect(Object.keys(editErrors(t, levante, { ...emptied, name: '' }))).toHaveLength(8);
  });

  it('judges only what was changed', () => {
    const old = { ...levante, cif: 'B46000017', mobile: null };
    expect(editErrors(t, old, { ...companyValues(old), city: 'Sagunto' })).toEqual({});
    expect(Object.keys(editErrors(t, old, { ...companyValues(old), cif: 'B46000018' }))).toEqual(['cif']);
  });
});

describe('trial and billing', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const at = (part: object) => periodOf({ ...levante, ...part }, now);
  it.each([
    [{ status: 0 }, 'pending'],
    [{ status: 1 }, 'inactive'],
    [{ status: 4 }, 'inactive'],
    [{ status: 5 }, 'unpaid'],
    [{ pay_startAt: '2026-11-30T23:00:00Z' }, 'trial'],
    [{ pay_startAt: '2026-11-30T23:00:00Z', missing: ['iban', 'payStart'] }, 'trialMissing'],
    [{ pay_startAt: '2026-11-01T23:00:00Z' }, 'billed'],
    [{ pay_startAt: '2026-11-01T23:00:00Z', missing: ['legal'] }, 'ended'],
    [{ pay_startAt: null, created_at: '2026-11-01T00:00:00Z', missing: ['iban', 'payStart'] }, 'ended'],
  ])('%j is %s', (part, period) => {
    expect(at(part)).toBe(period);
  });
});

describe('beside the form', () => {
  it('lets untouched fields follow and typed ones stay', () => {
    const before = { status: '0', payStart: '', retentionDays: '' };
    const after = { status: '2', payStart: '2026-12-21', retentionDays: '' };
    expect(rebased({ ...before, payStart: '2027-01-01', retentionDays: '60' }, before, after)).toEqual({ status: '2' });
  });

  it('counts texts accepted together as one acceptance, newest first', () => {
    const entry = (id: string, accepted_at: string) => ({ id, priceId: null, accepted_at, expires_at: null });
    const history = [entry('a', '2025-01-01'), entry('b', '2026-01-01'), entry('c', '2026-01-01')];
    expect(acceptances(history).map(({ accepted_at }) => accepted_at)).toEqual(['2026-01-01', '2025-01-01']);
  });
});
