import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { BuyerCodes, isDir3 } from './BuyerCodes';

const stored = { companyId: 'c1', reference: 'Pedido 7', accounting: null, managing: null, processing: null };
let server: ReturnType<typeof fakeServer>;
const Page = () => <BuyerCodes company="c1" />;

beforeAll(() => useTexts());
beforeEach(async () => {
  server = fakeServer();
  server.answers['buyer-codes/c1'] = (body) =>
    Response.json(body && 'reference' in body ? { ...stored, ...body } : stored);
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});

it('knows codes of the directory', () => {
  const codes = ['L01280796', 'ea0003089', 'L0128079', 'L012807966', '101280796', 'L0128079-'];
  expect(codes.map(isDir3)).toEqual([true, true, false, false, false, false]);
});

it('asks for all three offices or none, and saves by itself', async () => {
  showPage(Page, '/customer/c1', '/customer/c1');
  const reference = await screen.findByLabelText<HTMLInputElement>('Referencia del cliente');
  expect(reference.value).toBe('Pedido 7');
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Guardar los códigos' });
  expect(save.disabled).toBe(false);
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('Oficina contable (DIR3)', 'L0128');
  await screen.findByText('Nueve letras y números, por ejemplo L01280796');
  expect(screen.getAllByText('Indique los tres códigos o ninguno')).toHaveLength(2);
  expect(save.disabled).toBe(true);
  type('Oficina contable (DIR3)', 'L01280796');
  type('Órgano gestor (DIR3)', 'L01280797');
  type('Unidad tramitadora (DIR3)', 'L01280798');
  fireEvent.click(save);
  await screen.findByText('Códigos guardados');
  const posted = server.to('buyer-codes/c1').filter(({ method }) => method === 'POST');
  const codes = { accounting: 'L01280796', managing: 'L01280797', processing: 'L01280798' };
  await waitFor(() => expect(posted.map(({ body }) => body)).toEqual([{ reference: 'Pedido 7', ...codes }]));
});
