import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepModalsOf, openModal } from '@/shared/lib/modals';
import { conference, item } from '@/test/conference';
import { ModalHost } from '@/test/providers';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';

let asked: ReturnType<typeof answerCalls>;

beforeEach(async () => {
  setViewport(1440, 900);
  await logIn();
  asked = answerCalls((_method, path) =>
    path.endsWith('/conference-media/conf7') ? { body: { conference, media: [item('m1'), item('m2')] } } : undefined,
  );
});
afterEach(() => act(() => keepModalsOf('')));

const open = async () => {
  await renderPage(<ModalHost />);
  expect(screen.queryByRole('dialog')).toBeNull();
  let close = () => {};
  act(() => {
    close = openModal('conference-media', { conferenceId: 'conf7' });
  });
  const dialog = await screen.findByRole('dialog', { name: 'Multimedia' });
  await within(dialog).findByText('2 archivos');
  return { dialog, close };
};

it('shows the media of the conference it was opened for', async () => {
  const { dialog } = await open();
  expect(within(dialog).getByRole('button', { name: 'Foto 2' })).toBeDefined();
  expect(asked.some(({ path }) => path.endsWith('/conference-media/conf7'))).toBe(true);
  expect(await seriousFindings()).toEqual([]);
});

it('is closed by its cross', async () => {
  const { dialog } = await open();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('is closed by whoever opened it', async () => {
  const { close } = await open();
  act(close);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('goes with the page it was opened over', async () => {
  await open();
  act(() => keepModalsOf('/elsewhere'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
