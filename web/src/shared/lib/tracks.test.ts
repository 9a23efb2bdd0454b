// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { trackText } from './tracks';

beforeAll(() => useTexts());

it.each([
  ['MEDIA_CAPTURED', { type: 'PICTURE' }, 'Foto guardada'],
  ['MEDIA_CAPTURED', { type: 'VIDEO' }, 'Vídeo guardado'],
  ['MEDIA_CAPTURED', { type: 'DOCUMENT' }, 'Documento guardado'],
  ['MEDIA_CAPTURED', null, 'Foto o vídeo guardado'],
  ['PERMISSION_DENIED', { permission: 'camera' }, /^Permiso denegado: /],
  // EVID-31
  [
    'PERMISSION_DENIED',
    { permission: 'microphone', reason: 'PERMISSION_NO_ANSWER' },
    /^Permiso sin respuesta: micrófono$/,
  ],
  ['DISCONNECTED', { reason: 'left' }, /^Sale de la llamada: cliente$/i],
  ['DISCONNECTED', null, /^Desconectado: cliente$/i],
  ['SOMETHING_NEW', null, 'Otro suceso'],
])('%s with %j', (type, data, text) => {
  expect(trackText(t, { type, data, actor: 'client' } as Parameters<typeof trackText>[1])).toMatch(text);
});
