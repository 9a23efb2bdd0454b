import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { api } from '@/api/client';
import { session } from '@/shared/session';
import { Providers, queryClient } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { FreshProof } from './FreshProof';

let proofs: unknown[] = [];
let proved = false;

beforeAll(async () => {
  await useTexts();
});
beforeEach(() => {
  queryClient.clear();
  proofs = [];
  proved = false;
  window.fetch = vi.fn(async (input, init) => {
    if (input === '/api/v1/passkeys') return Response.json({ passkeys: [] });
    if (input !== '/api/v1/fresh-proof') {
      return proved ? Response.json({ done: true }) : Response.json({ code: 'FRESH_PROOF_REQUIRED' }, { status: 403 });
    }
    const body = JSON.parse(String(init?.body));
    proofs.push(body);
    proved = body.password === 'la buena' || body.code === '123456';
    if (proved) return new Response(null, { status: 204 });
    const errors = [{ field: 'password', code: 'PASSWORD_WRONG', message: 'La contraseña actual no es correcta' }];
    return Response.json({ code: 'INVALID_FIELDS', errors }, { status: 422 });
  });
});

async function change(user = nuria) {
  await session.save(tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }), user, []);
  render(
    <Providers env="test">
      <FreshProof />
    </Providers>,
  );
  const answer = api.post('/api/v1/some-change', { iban: 'x' }).catch((error: unknown) => error);
  await screen.findByRole('dialog', { name: 'Confirme que es usted' });
  return answer;
}

// PROOF-4
it('asks for the password, says what is wrong, and repeats the change after the right one', async () => {
  const answer = change();
  const field = await screen.findByLabelText('Contraseña');
  fireEvent.click(screen.getByRole('button', { name: 'Confirmar' }));
  await screen.findByText('Escriba su contraseña');
  fireEvent.change(field, { target: { value: 'otra' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirmar' }));
  await screen.findByText('La contraseña actual no es correcta');
  fireEvent.change(field, { target: { value: 'la buena' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirmar' }));
  expect(await answer).toEqual({ done: true });
  expect(proofs).toEqual([{ password: 'otra' }, { password: 'la buena' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

// PROOF-2, PROOF-4
it('asks for a code where there is a second factor', async () => {
  const answer = change({ ...nuria, has2fa: true });
  fireEvent.change(await screen.findByLabelText('Dígito 1 de 6'), { target: { value: '1' } });
  for (const n of [2, 3, 4, 5, 6]) {
    fireEvent.change(screen.getByLabelText(`Dígito ${n} de 6`), { target: { value: String(n) } });
  }
  fireEvent.click(screen.getByRole('button', { name: 'Confirmar' }));
  expect(await answer).toEqual({ done: true });
  expect(proofs).toEqual([{ code: '123456' }]);
});

// PROOF-4
it('leaves the change undone when the dialog is closed', async () => {
  const answer = change();
  fireEvent.click(await screen.findByRole('button', { name: 'Cancelar' }));
  expect(await answer).toMatchObject({ code: 'FRESH_PROOF_REQUIRED' });
});
