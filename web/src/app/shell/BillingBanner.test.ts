// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { bannerText } from './BillingBanner';

beforeAll(() => useTexts());

// Midnight in Madrid is still the day before in UTC.
const date = '2026-12-04T23:30:00.000Z';

it.each([
  ['TRIAL', false, 'Periodo de prueba hasta el 5 de diciembre de 2026.'],
  [
    'TRIAL',
    true,
    'Periodo de prueba hasta el 5 de diciembre de 2026. Complete sus datos de facturación para seguir usando el servicio.',
  ],
  ['EXPIRED', true, 'Su periodo de prueba ha terminado. Actualice sus datos para continuar.'],
  ['BILLING', false, 'El servicio se factura desde el 5 de diciembre de 2026.'],
] as const)('%s, link %s', (kind, link, text) => {
  expect(bannerText(t, { kind, link, date }, 'es')).toBe(text);
});
