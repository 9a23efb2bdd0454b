import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User, UserCompany } from '@/api/types';
import { forgetPutOff } from '@/features/legal/terms';
import { diff, pending } from '@/features/legal/testing';
import { session } from '@/shared/session';
import { fakeServer, LEGAL, problem, showPage } from '@/test/pages';
import { price } from '@/test/price';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { PendingTerms } from './PendingTerms';

const company = (missing: UserCompany['missing']): UserCompany => ({ ...(nuria.company as UserCompany), missing });
let server: ReturnType<typeof fakeServer>;

beforeAll(() => useTexts());
beforeEach(() => {
  forgetPutOff();
  window.localStorage.setItem('hasSeenNewFeautures', 'true');
  server = fakeServer();
  let open = true;
  Object.assign(server.answers, {
    'legal-pending': () => Response.json(open ? pending : { pending: [], price: null, declinedAt: null }),
    'legal-diff/general-1/general-2': () => Response.json({ diff }),
    'legalbylanguage/general-2/es': () =>
      Response.json({ legal: [{ ...LEGAL.legal[0], _id: 'general-2', version: 2 }] }),
    'price-id/p1': () => Response.json({ price: { ...price, _id: 'p1', connection: 5.5 } }),
    'legal-accept': () => {
      open = false;
      return new Response(null, { status: 204 });
    },
    'legal-decline': () => new Response(null, { status: 204 }),
    me: () => Response.json({ user: session.peek()?.user, menu: [] }),
  });
});

const open = async (user: User = { ...nuria, company: company([]) }) => {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ exp, role: user.role }), user, []);
  showPage(PendingTerms, '/vp-form', '/vp-form');
};
const dialog = () => screen.findByRole('dialog', { name: 'Han cambiado las condiciones del servicio' });
const settled = () => new Promise((done) => setTimeout(done, 50));

describe('new terms after the log-in', () => {
  it('shows what changed, the whole text on demand, and the prices beside the old ones', async () => {
    await open();
    const box = within(await dialog());
    await box.findByText('Un párrafo nuevo.');
    expect(box.getByText('60').tagName).toBe('INS');
    expect(box.getByText('30').tagName).toBe('DEL');
    fireEvent.click(box.getByRole('button', { name: '2 párrafos sin cambios' }));
    box.getByText('Primero.');
    fireEvent.click(box.getByRole('button', { name: 'Ver el texto completo' }));
    await box.findByRole('heading', { name: 'Objeto' });
    fireEvent.click(box.getByLabelText('Precios'));
    const row = await box.findByRole('row', { name: /^Conexión/ });
    expect(row.textContent?.replace(/\u00a0/g, ' ')).toBe('Conexiónantes 5,50 € ahora  6,00 €');
  });

  it('accepts all of it at once; both answers weigh the same', async () => {
    await open();
    const box = within(await dialog());
    const accept = box.getByRole('button', { name: 'Acepto las condiciones' });
    expect(accept.dataset.variant).toBe(box.getByRole('button', { name: 'No acepto' }).dataset.variant);
    fireEvent.click(accept);
    await screen.findByText('Condiciones aceptadas');
    expect(server.to('legal-accept').map(({ body }) => body)).toEqual([{ legalIds: ['general-2'], priceId: 'p2' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(server.to('me')).toHaveLength(1));
  });

  it('declines only after the consequences were read', async () => {
    await open();
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'No acepto' }));
    const box = within(await screen.findByRole('dialog', { name: 'Si no acepta las condiciones nuevas' }));
    box.getByText('Se siguen aplicando las condiciones y los precios que ya aceptó.');
    expect(server.to('legal-decline')).toEqual([]);
    fireEvent.click(box.getByRole('button', { name: 'Confirmar que no acepto' }));
    await screen.findByText('No ha aceptado las condiciones nuevas');
    expect(server.to('legal-decline').map(({ body }) => body)).toEqual([{ legalIds: ['general-2'], priceId: 'p2' }]);
  });

  it('puts it off for this visit', async () => {
    await open();
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Más tarde' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.sessionStorage.getItem('termsLater')).toBe('u1 general-2 p2');
  });

  it('says when the answer was not taken and reads afresh what is in force', async () => {
    server.answers['legal-accept'] = () => problem(409, 'LEGAL_TEXT_CHANGED');
    await open();
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Acepto las condiciones' }));
    await screen.findByText('No se ha podido registrar su respuesta');
    await waitFor(() => expect(server.to('legal-pending')).toHaveLength(2));
  });

  it.each([
    ['an operator', { ...nuria, role: 3, company: company([]) }],
    ['a company that never accepted any', { ...nuria, company: company(['legal']) }],
  ])('asks nothing for %s', async (_who, user) => {
    await open(user);
    await settled();
    expect(server.to('legal-pending')).toEqual([]);
  });

  it('does not open by itself what was declined', async () => {
    server.answers['legal-pending'] = () => Response.json({ ...pending, declinedAt: '2026-11-20T09:00:00Z' });
    await open();
    await waitFor(() => expect(server.to('legal-pending')).toHaveLength(1));
    await settled();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('waits for the news of a first visit', async () => {
    window.localStorage.removeItem('hasSeenNewFeautures');
    await open();
    await waitFor(() => expect(server.to('legal-pending')).toHaveLength(1));
    await settled();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
