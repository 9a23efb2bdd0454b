import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { answerCalls, logIn, renderPage, seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { PhoneChecks } from './PhoneChecks';

const check = {
  _id: 'c1',
  code: '12345678',
  browser: 'Safari',
  os: 'iOS',
  at: '2026-11-22T09:00:00Z',
  keptUntil: '2026-12-23T09:00:00Z',
  outcomes: [
    { check: 'camera', ok: true, detail: '' },
    { check: 'relay', ok: false, detail: 'timeout' },
  ],
};

beforeAll(() => useTexts());
let asked: ReturnType<typeof answerCalls>;
beforeEach(async () => {
  await logIn();
  asked = answerCalls((_method, path) =>
    path.includes('/phone-checks') ? { body: { phoneChecks: path.includes('code=99') ? [] : [check] } } : undefined,
  );
});

// CLIENT-60
it('finds what a phone could do by the code that was read out', async () => {
  await renderPage(<PhoneChecks opened onClose={() => undefined} />);
  await screen.findByText('1234 5678');
  screen.getByText('Relé para redes cerradas');
  screen.getByText('timeout');
  expect(await seriousFindings()).toEqual([]);
  await userEvent.type(screen.getByLabelText('Código'), '99');
  await screen.findByText('No hay ningún resultado con ese código.');
  await waitFor(() => expect(asked.some(({ path }) => path.includes('code=99'))).toBe(true));
});
