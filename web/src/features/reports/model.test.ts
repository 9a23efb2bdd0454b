// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { actorText, factsText, purposeText } from './model';

beforeAll(() => useTexts());

it.each([
  ['client', 'Cliente'],
  ['user:0193', 'Usuario'],
  ['system', 'Plataforma'],
])('%s acts as %s', (actor, text) => {
  expect(actorText(t, actor)).toBe(text);
});

// The server's names: `client_files/messages.rs`, `conferences/messages.rs`.
it.each([
  ['session', 'Enlace de la videollamada'],
  ['files-request', 'Solicitud de archivos'],
  ['files-reminder', 'Recordatorio de archivos'],
  ['files-rejected', 'Petición de repetir un archivo'],
  ['files-received', 'Aviso de archivos recibidos'],
  ['something-new', 'something-new'],
])('a message for %s is called %s', (purpose, text) => {
  expect(purposeText(t, purpose)).toBe(text);
});

it.each([
  [null, ''],
  [{ permission: 'camera', state: 'denied' }, 'permission: camera · state: denied'],
  [{ n: 3, deep: { a: 1 }, list: [1] }, 'n: 3'],
])('%j in words: %s', (data, text) => {
  expect(factsText(data)).toBe(text);
});
