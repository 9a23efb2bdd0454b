// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { isBad, trackText } from './tracks';

beforeAll(() => useTexts());

it.each([
  ['MEDIA_CAPTURED', { type: 'PICTURE' }, 'Foto guardada'],
  ['MEDIA_CAPTURED', { type: 'VIDEO' }, 'Vídeo guardado'],
  ['MEDIA_CAPTURED', { type: 'DOCUMENT' }, 'Documento guardado'],
  ['MEDIA_CAPTURED', null, 'Foto o vídeo guardado'],
  ['PERMISSION_DENIED', { permission: 'camera' }, /^Permiso denegado: /],
  ['PERMISSION_DENIED', { permission: 'camera', reason: 'NotAllowedError' }, /^Permiso denegado: /],
  // EVID-31
  ['PERMISSION_DENIED', { permission: 'camera', reason: 'PERMISSION_NO_ANSWER' }, /^Permiso sin respuesta: /],
  ['PERMISSION_DENIED', { permission: 'geolocation', reason: 'SKIPPED' }, /^Permiso omitido por el cliente: /],
  ['DISCONNECTED', { reason: 'left' }, /^Sale de la llamada: cliente$/i],
  ['DISCONNECTED', null, /^Desconectado: cliente$/i],
  ['SOMETHING_NEW', null, 'Otro suceso'],
])('%s with %j', (type, data, text) => {
  expect(trackText(t, { type, data, actor: 'client' } as Parameters<typeof trackText>[1])).toMatch(text);
});

// EVID-31
it.each([
  ['PERMISSION_DENIED', { reason: 'NotAllowedError' }, true],
  ['PERMISSION_DENIED', null, true],
  ['PERMISSION_DENIED', { reason: 'PERMISSION_NO_ANSWER' }, false],
  ['PERMISSION_DENIED', { reason: 'SKIPPED' }, false],
  ['LEGAL_REJECTED', { reason: 'SKIPPED' }, true],
  ['CONNECTED', null, false],
])('%s with %j: whether it is bad', (type, data, bad) => {
  expect(isBad({ type, data })).toBe(bad);
});
