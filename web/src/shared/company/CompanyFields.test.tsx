import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { CompanyFields } from './CompanyFields';
import { companyValues } from './company-form';
import { useCompanyForm } from './use-company-form';

let state: ReturnType<typeof useCompanyForm>;

function Form({ emailReadOnly = false }: { emailReadOnly?: boolean }) {
  state = useCompanyForm(companyValues({ email: 'nuria@example.es' }));
  return (
    <form ref={state.ref}>
      <CompanyFields state={state} emailReadOnly={emailReadOnly} />
    </form>
  );
}

const show = (emailReadOnly?: boolean) =>
  render(
    <Providers env="test">
      <Form emailReadOnly={emailReadOnly} />
    </Providers>,
  );
const field = (label: RegExp | string) => screen.getByLabelText(label) as HTMLInputElement;
const type = (label: RegExp | string, value: string) => fireEvent.change(field(label), { target: { value } });
const leave = (label: RegExp | string) => fireEvent.blur(field(label));
const check = () => {
  let right = false;
  act(() => {
    right = state.check();
  });
  return right;
};
const fillRight = () => {
  type('Persona de contacto', 'Nuria Ferrer');
  type('NIF/CIF', 'B64717838');
  type('Dirección', 'Calle de Colón, 12');
  type('Código postal', '46004');
  type('Población', 'València');
  type('Móvil', '600 123 123');
};

beforeAll(async () => {
  await useTexts();
  window.fetch = vi.fn(async () => Response.json([]));
});

describe('fields of a company', () => {
  beforeEach(() => void show());

  it.each([
    ['NIF/CIF', 'B64717839', 'El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.'],
    ['NIF/CIF', '', 'Escriba el NIF/CIF'],
    ['Persona de contacto', '', 'Escriba la persona de contacto'],
    ['Dirección', '', 'Escriba la dirección'],
    ['Población', '', 'Escriba la población'],
    ['Código postal', '99999', 'El código postal no es válido. Escriba sus cinco cifras, como 46001.'],
    ['Correo electrónico', 'nuria@', 'El correo electrónico no es válido. Escríbalo entero, como nombre@empresa.es.'],
    ['Correo electrónico', '', 'Escriba el correo electrónico'],
    ['Móvil', '', 'El teléfono móvil es obligatorio'],
    ['Móvil', '12345', 'El teléfono no es correcto. Escriba todas sus cifras; si no es de España, con el prefijo.'],
    [/^Teléfono/, '1234', 'El teléfono no es correcto. Escriba todas sus cifras; si no es de España, con el prefijo.'],
    [/^IBAN/, 'ES91 2100 0418 4502 0005 1333', 'El IBAN no es correcto. Cópielo entero, con las dos letras del país.'],
  ])('%s "%s" says so when it is left, beside the field and with what was typed', (label, value, text) => {
    type(label, 'something else');
    type(label, value);
    leave(label);
    screen.getByText(text);
    expect(screen.queryAllByText(text)).toHaveLength(1);
    expect(field(label).value).toBe(value);
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
  });

  it('lets an optional phone of up to three characters pass', () => {
    type(/^Teléfono/, '+34');
    leave(/^Teléfono/);
    expect(
      screen.queryByText('El teléfono no es correcto. Escriba todas sus cifras; si no es de España, con el prefijo.'),
    ).toBeNull();
  });

  it('says everything at once and loses nothing', () => {
    type('NIF/CIF', '1234567L');
    type('Código postal', '0');
    type('Móvil', '1');
    type(/^Teléfono/, '12345');
    type(/^IBAN/, 'ES00');
    expect(check()).toBe(false);
    for (const missing of [
      'Escriba la persona de contacto',
      'Escriba la dirección',
      'Escriba la población',
      'Elija la provincia',
    ])
      expect(screen.getAllByText(missing)).toHaveLength(1);
    for (const text of [
      'El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.',
      'El código postal no es válido. Escriba sus cinco cifras, como 46001.',
      'El teléfono móvil es obligatorio',
      'El teléfono no es correcto. Escriba todas sus cifras; si no es de España, con el prefijo.',
      'El IBAN no es correcto. Cópielo entero, con las dos letras del país.',
    ])
      screen.getByText(text);
    screen.getByText('¿Quiere decir 01234567L?');
    expect(field('NIF/CIF').value).toBe('1234567L');
    expect(field(/^IBAN/).value).toBe('ES00');
  });

  it('takes right values', () => {
    fillRight();
    expect(check()).toBe(true);
    expect(state.values.region).toBe('Valencia/València');
  });

  it('hints at an unusual control character without refusing it', () => {
    fillRight();
    type('NIF/CIF', 'B1234567D');
    screen.getByText('Revise el último carácter del NIF');
    expect(check()).toBe(true);
  });

  it('warns when the postal code lies elsewhere, without refusing it', () => {
    fillRight();
    act(() => state.set({ region: 'Madrid' }));
    screen.getByText('El código postal 46004 es de Valencia/València. Compruébelo.');
    expect(check()).toBe(true);
    // A province chosen by hand stays.
    type('Código postal', '08001');
    expect(state.values.region).toBe('Madrid');
  });

  it('counts the figures that an IBAN lacks', () => {
    type(/^IBAN/, 'ES91 2100 0418 4502');
    screen.getByText('Faltan 8 cifras.');
  });

  it("puts the server's errors beside their fields until these change", () => {
    fillRight();
    let homeless: unknown;
    const errors = [
      {
        field: 'cif',
        code: 'FISCAL_INCORRECT',
        message: 'El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.',
      },
      {
        field: 'customer.mobile',
        code: 'PHONE_INCORRECT',
        message: 'El teléfono no es correcto. Escriba todas sus cifras; si no es de España, con el prefijo.',
      },
      { field: 'password', code: 'PASSWORD_WEAK', message: 'Utilice una contraseña segura' },
    ];
    act(() => {
      homeless = state.refuse(new ApiError({ code: 'INVALID_FIELDS', status: 422, message: '', errors }));
    });
    expect(homeless).toEqual([errors[2]]);
    screen.getByText('El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.');
    leave('NIF/CIF');
    screen.getByText('El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.');
    expect(check()).toBe(false);
    type('NIF/CIF', 'A58818501');
    expect(screen.queryByText('El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.')).toBeNull();
    type('Móvil', '600 123 124');
    expect(check()).toBe(true);
  });

  it('starts with Spain and has the 52 provinces', () => {
    const [prefix] = screen.getAllByLabelText('Prefijo') as HTMLInputElement[];
    expect(prefix?.value).toBe('+34');
    fireEvent.click(screen.getByRole('combobox', { name: 'Provincia', hidden: true }));
    expect(screen.getAllByRole('option', { hidden: true }).length).toBeGreaterThanOrEqual(52);
  });
});

it('shows the address of the invitation without letting it be changed', () => {
  show(true);
  expect(field('Correo electrónico').readOnly).toBe(true);
  expect(field('Correo electrónico').value).toBe('nuria@example.es');
});
