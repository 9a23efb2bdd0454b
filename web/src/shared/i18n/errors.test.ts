// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { ApiError } from '@/api/errors';
import { useTexts } from '@/test/texts';
import { codeText, errorText, t } from '.';

beforeAll(() => useTexts());

const refused = (code: string, message: string) => errorText(t, new ApiError({ status: 422, code, message }));

it('says what a code means, and the server’s own sentence where that has values', () => {
  expect(refused('LOGIN_INCORRECT', 'x')).toBe(t('errors.login_incorrect'));
  const sentence = 'El Excel tendría 50001 filas y admite 50000: acote la búsqueda o las fechas';
  expect(refused('WORKBOOK_TOO_LONG', sentence)).toBe(sentence);
  expect(refused('NOBODY_KNOWS', sentence)).toBe(sentence);
  expect(refused('WORKBOOK_TOO_LONG', '')).toBe(t('common.unexpected'));
  expect(codeText(t, 'TOO_LONG')).toBeNull();
});
