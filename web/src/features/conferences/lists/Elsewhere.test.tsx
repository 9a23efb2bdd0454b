import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { answerCalls, logIn, renderPage } from '@/test/render';
import { useTexts } from '@/test/texts';
import { Elsewhere } from './Elsewhere';

const row = {
  _id: 'c9',
  expedientNumber: 'EXP-9',
  type: 2,
  createdAt: '2026-03-02T09:00:00.000Z',
  userName: 'Rosa Gil',
  durationState: 'seconds',
  duration: 80,
  rooms: [],
  closed: true,
};

beforeAll(() => useTexts());
beforeEach(() => logIn());

it('finds a case of another day and the other line, and leads to its own list', async () => {
  const asked = answerCalls((_method, path) =>
    path.includes('conferences-div-details/co1')
      ? { body: { conferences: [row], total: 1 } }
      : { body: { conferences: [], total: 0 } },
  );
  await renderPage(<Elsewhere search="EXP-9" parent="co1" />);
  const link = await screen.findByRole('link', { name: /EXP-9/ });
  expect(link.getAttribute('href')).toBe('/conferences-div/co1?begin=2026-03-02&end=2026-03-02&open=c9');
  expect(link.textContent).toContain('Diversos');
  const searched = asked.filter(({ path }) => path.includes('-details/'));
  expect(searched.map(({ body }) => body)).toEqual([{ begin: '2000-01-01' }, { begin: '2000-01-01' }]);
});

it('says so when there is nothing on any day', async () => {
  answerCalls(() => ({ body: { conferences: [], total: 0 } }));
  await renderPage(<Elsewhere search="EXP-9" parent="co1" />);
  expect(await screen.findByText(/Tampoco hay nada en otras fechas/)).toBeTruthy();
});

it('says when there is more than it shows', async () => {
  const answer = (total: number) =>
    answerCalls((_method, path) => ({
      body: path.includes('-div-') ? { conferences: [row], total } : { conferences: [], total: 0 },
    }));
  answer(2);
  const { unmount } = await renderPage(<Elsewhere search="EXP" parent="co1" />);
  await screen.findByText(/^Hay más/);
  unmount();
  answer(1);
  await renderPage(<Elsewhere search="EXP" parent="co1" />);
  await screen.findByRole('link', { name: /EXP-9/ });
  expect(screen.queryByText(/^Hay más/)).toBeNull();
});
