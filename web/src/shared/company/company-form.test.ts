import { describe, expect, it } from 'vitest';
import { type CompanyValues, companyProblems, companyValues, toCompany } from './company-form';

const right: CompanyValues = {
  ...companyValues(),
  name: 'Nuria Ferrer Ñíguez',
  company: 'Peritaciones Levante, S.L.',
  cif: 'B64717838',
  address: 'Calle de Colón, 12',
  postalCode: '46004',
  city: 'València',
  region: 'Valencia/València',
  email: 'nuria@example.es',
  mobile: '600 123 123',
};

describe('rules of the company form', () => {
  it('has nothing against a right one', () => expect(companyProblems(right)).toEqual({}));

  it.each([
    ['name', '', 'REQUIRED'],
    ['name', '   ', 'REQUIRED'],
    ['name', 'ñ'.repeat(201), 'TOO_LONG'],
    ['company', 'ñ'.repeat(201), 'TOO_LONG'],
    ['cif', '', 'REQUIRED'],
    ['cif', 'B64717839', 'FISCAL_INCORRECT'],
    ['cif', '1234567L', 'FISCAL_INCORRECT'],
    ['address', ' ', 'REQUIRED'],
    ['postalCode', '', 'REQUIRED'],
    ['postalCode', '4600', 'POSTAL_CODE_INVALID'],
    ['postalCode', '53001', 'POSTAL_CODE_INVALID'],
    ['city', '', 'REQUIRED'],
    ['region', '', 'REQUIRED'],
    ['email', '', 'REQUIRED'],
    ['email', 'nuria@', 'EMAIL_INVALID'],
    ['email', `${'a'.repeat(350)}@example.es`, 'TOO_LONG'],
    ['mobile', '', 'PHONE_REQUIRED'],
    ['mobile', '+34', 'PHONE_REQUIRED'],
    ['mobile', '12345', 'PHONE_INCORRECT'],
    ['mobile', '6'.repeat(21), 'PHONE_TOO_LONG'],
    ['phone', '1234', 'PHONE_INCORRECT'],
    ['phone', '9'.repeat(21), 'PHONE_TOO_LONG'],
    ['bankAccount', 'ES9121000418450200051333', 'IBAN_INCORRECT'],
    ['bankAccount', 'ES82', 'IBAN_INCORRECT'],
  ] as const)('%s "%s" is %s, and only that', (field, value, problem) => {
    expect(companyProblems({ ...right, [field]: value })).toEqual({ [field]: problem });
  });

  it('accepts what is optional empty, and an untouched masked IBAN', () => {
    const values = { ...right, company: '', phone: '12', bankAccount: 'ES91 **** **** **** **** 1332' };
    expect(companyProblems(values)).toEqual({});
  });

  it('names every wrong field at once', () => {
    const wrong = { cif: 'X', postalCode: '1', email: 'x', mobile: '1', phone: '12345', bankAccount: 'ES00' };
    expect(companyProblems({ ...companyValues(), ...wrong })).toEqual({
      name: 'REQUIRED',
      cif: 'FISCAL_INCORRECT',
      address: 'REQUIRED',
      postalCode: 'POSTAL_CODE_INVALID',
      city: 'REQUIRED',
      region: 'REQUIRED',
      email: 'EMAIL_INVALID',
      mobile: 'PHONE_REQUIRED',
      phone: 'PHONE_INCORRECT',
      bankAccount: 'IBAN_INCORRECT',
    });
  });
});

describe('the body for the server', () => {
  it('is normalised', () => {
    const values = {
      ...right,
      cif: 'es b-64.717.838',
      phone: '910 12 34 56',
      bankAccount: 'es91-2100 0418 4502 0005 1332',
    };
    expect(toCompany(values)).toMatchObject({
      cif: 'B64717838',
      mobile: '+34600123123',
      phone: '+34910123456',
      bankAccount: 'ES9121000418450200051332',
    });
  });
  it('leaves out what was not given and gives a sole trader a name', () => {
    const body = toCompany({ ...right, company: ' ', phone: '+34' });
    expect(body).toMatchObject({ company: right.name, phone: null, bankAccount: null });
  });
  it('comes back as it went', () => {
    const body = toCompany({ ...right, phone: '910 12 34 56' });
    expect(toCompany(companyValues(body))).toEqual(body);
  });
  it('keeps a masked IBAN', () => {
    const masked = 'ES91 **** **** **** **** 1332';
    expect(toCompany({ ...right, bankAccount: masked }).bankAccount).toBe(masked);
  });
});
