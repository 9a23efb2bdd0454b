// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { actions, actionText, detailText } from './model';

beforeAll(() => useTexts());

it.each([
  ['USER_CHANGED', { fields: ['name', 'phone', 'postalCode'] }, 'Campos: Nombre, Teléfono, Código postal'],
  ['USER_DEACTIVATED', { from: 2, to: 1 }, 'Activo → Inactivo'],
  ['ROLE_CHANGED', { from: 3, to: 2 }, 'Usuario → Cliente'],
  ['INSURERS_CHANGED', { before: 0, after: 3 }, '0 → 3'],
  ['SUPPORT_CHANGED', { support: true }, 'Soporte: Sí'],
  ['API_KEY_CREATED', { prefix: 'atl_1234' }, 'Clave: atl_1234'],
  ['INVITED', { type: 3 }, 'Perfil: Usuario'],
  ['LOGGED_IN', { method: 'code' }, 'Método: contraseña y código'],
  ['LOGGED_IN', {}, ''],
  ['X', { unheard: { of: 1 } }, 'unheard: 1'],
])('%s %j', (action, detail, text) => {
  expect(detailText(t, action, detail)).toBe(text);
});

it('offers the actions that have a text, and shows one without as it came', () => {
  expect(actions()).toContain('USER_DEACTIVATED');
  expect(actions().every((action) => action === action.toUpperCase())).toBe(true);
  expect(actionText(t, 'LOGGED_IN')).toBe('Ha iniciado sesión');
  expect(actionText(t, 'BRAND_NEW')).toBe('BRAND_NEW');
});
