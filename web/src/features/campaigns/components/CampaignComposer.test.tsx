import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { BroadcastPage } from '../pages/BroadcastPage';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;
beforeEach(async () => {
  server = fakeServer();
  server.answers.campaigns = () => Response.json({ campaigns: [], total: 0, page: 1, pages: 0 });
  server.answers['available-languages'] = () => Response.json([]);
  server.answers.broadcastEmails = ({ data }) => {
    const { preview, subject, text } = data as { preview?: boolean; subject: string; text: string };
    if (!preview) return Response.json({ campaign: { _id: 'k1' } });
    const excluded = { noConsent: 1, suppressed: 0, invalid: 0 };
    const html = `<h1>${subject}</h1><p>${text}</p>`;
    return Response.json({ preview: { subject, text, html, recipients: 7, excluded } });
  };
  const token = tokenWith({ role: 1, exp: Math.floor(Date.now() / 1000) + 3600 });
  await session.save(token, { ...nuria, role: 1 }, []);
});

const sent = () => server.to('broadcastEmails').filter(({ body }) => !(body.data as { preview?: boolean }).preview);

it('shows the message as it will look, and asks in the same dialog before it is sent', async () => {
  showPage(BroadcastPage, '/broadcast', '/broadcast');
  fireEvent.click((await screen.findAllByRole('button', { name: 'Nuevo envío' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  type('Asunto', 'Novedades');
  type('Texto', 'Ya puede firmar.');
  const frame = (await dialog.findByTitle('Como se ve')) as HTMLIFrameElement;
  expect(frame.getAttribute('srcdoc')).toContain('<p>Ya puede firmar.</p>');
  expect(frame.getAttribute('sandbox')).toBe('');
  const press = () => fireEvent.click(dialog.getByRole('button', { name: 'Enviar' }));
  press();
  const step = await dialog.findByRole('region', { name: '¿Enviar este mensaje?' });
  expect(step.textContent).toContain('7 direcciones');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(sent()).toEqual([]);
  // A changed message is asked about again.
  type('Texto', 'Ya puede firmar hoy.');
  await waitFor(() => expect(dialog.queryByRole('region', { name: '¿Enviar este mensaje?' })).toBeNull());
  press();
  await dialog.findByRole('region', { name: '¿Enviar este mensaje?' });
  server.answers.broadcastEmails = () => problem(503, 'UNAVAILABLE');
  press();
  await dialog.findByRole('alert', { name: '' });
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.body).toMatchObject({ data: { subject: 'Novedades', text: 'Ya puede firmar hoy.' } });
});
