// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { actions, actionText, detailText, pageOfAction, sentence } from './model';

beforeAll(() => useTexts());

const ID = '018f3b2a-0000-7000-8000-00000000dead';

it.each([
  [
    'USER_CHANGED',
    { fields: ['name', 'phone', 'postalCode', 'of_tomorrow'] },
    'Campos: Nombre, Teléfono, Código postal',
  ],
  ['USER_DEACTIVATED', { from: 2, to: 1 }, 'Activo → Inactivo'],
  ['ROLE_CHANGED', { from: 3, to: 2 }, 'Usuario → Cliente'],
  ['INSURERS_CHANGED', { before: 0, after: 3 }, '0 → 3'],
  ['SUPPORT_CHANGED', { support: true }, 'Soporte: Sí'],
  ['API_KEY_CREATED', { prefix: 'atl_1234' }, 'Clave: atl_1234'],
  ['INVITED', { type: 3, sentTo: 'a***@x.es' }, 'Perfil: Usuario'],
  ['DATA_READ', { kind: 'media', id: ID }, ''],
  ['LOGGED_IN', { method: 'code' }, 'Método: contraseña y código'],
  ['PRICE_PUBLISHED', { priceId: ID, from: '2026-12-01T00:00:00Z' }, 'En vigor desde: 1 de diciembre de 2026'],
  ['CAMPAIGN_CREATED', { campaignId: ID, recipients: 3 }, 'Destinatarios: 3'],
  ['CONFERENCE_ERASED', { conferenceId: ID, erasureId: ID }, ''],
  ['BANK_FILE_READ', { file: 'ab12cd34', items: 4, unmatched: 1 }, 'Movimientos: 4 · Sin casar: 1'],
  ['LOGGED_IN', {}, ''],
  ['X', { unheard: { of: 1 }, more: 'raw' }, ''],
])('%s %j is told without keys and ids', (action, detail, text) => {
  expect(detailText(t, 'es', action, detail)).toBe(text);
});

const spoken = (action: string, detail = {}) =>
  sentence(t, 'es', action, detail)
    .map((piece) => (typeof piece === 'string' ? piece : `<${piece.person}>`))
    .join('');

it('says what happened in a sentence, with its people where links stand', () => {
  expect(spoken('USER_DEACTIVATED', { from: 2, to: 1 })).toBe('Se ha desactivado a <user>');
  expect(spoken('INVITED', { sentTo: 'a***@x.es' })).toBe('Se ha invitado a a***@x.es');
  expect(spoken('INVOICES_ISSUED', { period: '2026-10' })).toBe('Se han emitido las facturas de octubre de 2026');
  expect(spoken('INVOICE_PAID', { number: 'F-1' })).toBe('La factura F-1 de <company> consta como cobrada');
  expect(spoken('INVOICE_PAID')).toBe('La factura – de <company> consta como cobrada');
  expect(spoken('DATA_READ', { kind: 'media', id: ID })).toBe(
    'Un administrador ha consultado imágenes y vídeos de <company>',
  );
  expect(spoken('BRAND_NEW')).toBe('Otra actividad');
});

it('has a sentence for each action that it offers, none of them with a key in it', () => {
  expect(actions()).toContain('USER_DEACTIVATED');
  expect(actions().every((action) => action === action.toUpperCase())).toBe(true);
  for (const action of actions()) {
    expect(spoken(action), action).not.toMatch(/[{}_]|Otra actividad/);
    expect(actionText(t, action)).not.toMatch(/_/);
  }
});

it('knows the page that an entry leads to', () => {
  expect(pageOfAction('INVOICES_SENT')).toBe('invoiceProcesses');
  expect(pageOfAction('INVOICE_PAID')).toBe('invoices');
  expect(pageOfAction('LOGGED_IN')).toBeNull();
});
