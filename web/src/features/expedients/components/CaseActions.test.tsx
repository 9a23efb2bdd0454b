import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ConferenceRow } from '@/api/types';
import * as modals from '@/shared/lib/modals';
import { item } from '@/test/conference';
import { answerCalls, logIn, renderPage } from '@/test/render';
import { useTexts } from '@/test/texts';
import { CaseActions } from './CaseActions';

const row = (id: string, day: number, changes: object) =>
  ({
    _id: id,
    expedientNumber: '2026-118392',
    type: 2,
    createdAt: `2026-11-0${day}T11:39:00Z`,
    sid: null,
    duration: null,
    closed: true,
    files: 0,
    mediaExpired: false,
    erased: false,
    ...changes,
  }) as ConferenceRow;
const first = row('conf1', 3, { sid: 'RM_1', duration: 300, files: 9 });
const second = row('conf2', 4, { sid: 'RM_2', duration: 120, files: 2 });
const cancelled = row('conf3', 5, {});

let asked: ReturnType<typeof answerCalls>;
const paths = () => asked.map(({ path }) => path);

beforeAll(() => useTexts());
beforeEach(async () => {
  await logIn();
  asked = answerCalls((_method, path) =>
    path.includes('/zip/') ? { body: { zip: `/uploads/${path.split('/').at(-1)}.zip` } } : { body: {} },
  );
});

it('leads to the form with the case and its type', async () => {
  await renderPage(<CaseActions conferences={[first]} media={[]} />);
  const link = screen.getByRole('link', { name: 'Nueva videollamada con estos datos' });
  expect(link.getAttribute('href')).toBe('/vp-form?case=2026-118392&type=2');
});

it('certifies the last call that was held, not a cancelled one', async () => {
  await renderPage(<CaseActions conferences={[first, second, cancelled]} media={[]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Certificado' }));
  await waitFor(() => expect(paths().some((path) => path.includes('/print-cert/conf2'))).toBe(true));
});

it('saves the files of every call of the case', async () => {
  await renderPage(<CaseActions conferences={[first, second, cancelled]} media={[]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Descargar todo (ZIP)' }));
  await waitFor(() => expect(paths().filter((path) => path.includes('/zip/'))).toHaveLength(2), { timeout: 5_000 });
});

it('saves the photo report of the calls with pictures, and offers none without', async () => {
  const shown = await renderPage(<CaseActions conferences={[first, second]} media={[]} />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Informe fotográfico' }).disabled).toBe(true);
  shown.unmount();
  await renderPage(<CaseActions conferences={[first, second]} media={[item('m1', { conferenceId: 'conf1' })]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Informe fotográfico' }));
  await waitFor(() => expect(paths().filter((path) => path.includes('/photo-report/'))).toHaveLength(1));
  expect(paths().some((path) => path.includes('/photo-report/conf1'))).toBe(true);
});

it('asks for files of the newest call that may be asked, and offers none where none may', async () => {
  const open = vi.spyOn(modals, 'openModal').mockReturnValue(() => undefined);
  const asks = { mayRequestFiles: true, phoneNumber: '+34600111222', filesRequested: false };
  const shown = await renderPage(
    <CaseActions conferences={[{ ...first, ...asks }, { ...second, ...asks }, cancelled]} media={[]} />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Solicitar archivos' }));
  expect(open.mock.calls).toEqual([
    ['request-files', expect.objectContaining({ conferenceId: 'conf2', phoneNumber: '+34600111222', type: 2 })],
  ]);
  shown.unmount();
  await renderPage(<CaseActions conferences={[first, cancelled]} media={[]} />);
  expect(screen.queryByRole('button', { name: 'Solicitar archivos' })).toBeNull();
});
