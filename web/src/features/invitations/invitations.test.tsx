import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { InviteDialog } from './components/InviteDialog';
import { emailOPhone, INVITATION_STATES, inviteProblem, mayResend } from './model';

const email = { channel: 'email' as const, email: '', country: 'ES', phone: '' };
const sms = { ...email, channel: 'sms' as const };

describe('address of an invitation', () => {
  it.each([
    [{ ...email }, 'REQUIRED'],
    [{ ...email, email: 'nuria@' }, 'EMAIL_INVALID'],
    [{ ...email, email: ' nuria@example.es ' }, null],
    [{ ...sms }, 'REQUIRED'],
    [{ ...sms, phone: '612 034' }, 'PHONE_INVALID'],
    [{ ...sms, phone: '612 034 578 612 034 578' }, 'PHONE_TOO_LONG'],
    [{ ...sms, phone: '612 034 578' }, null],
  ])('%j', (values, problem) => {
    expect(inviteProblem(values)).toBe(problem);
  });

  it('is an e-mail or a phone in E.164', () => {
    expect(emailOPhone({ ...email, email: ' a@b.es ', phone: '612' })).toBe('a@b.es');
    expect(emailOPhone({ ...sms, email: 'a@b.es', phone: '612 034 578' })).toBe('+34612034578');
  });

  it('goes out again unless it has served', () => {
    expect(INVITATION_STATES.filter(mayResend)).toEqual(['sent', 'opened', 'expired', 'failed']);
  });
});

describe('dialog', () => {
  const onClose = vi.fn();
  let answer: () => Response;
  const calls: unknown[] = [];
  beforeAll(() => useTexts());
  beforeEach(() => {
    vi.clearAllMocks();
    calls.length = 0;
    window.fetch = vi.fn(async (input, init) => {
      if (String(input) !== '/api/v1/activation') return Response.json([]);
      calls.push(JSON.parse(String(init?.body)));
      return answer();
    });
  });
  const open = (types = [3], customerId?: string) =>
    render(
      <Providers env="test">
        <InviteDialog opened onClose={onClose} types={types} customerId={customerId} />
      </Providers>,
    );

  it('sends to an e-mail address', async () => {
    answer = () => Response.json({ invitation: { _id: 'i', emailOPhone: 'ana@example.es' } });
    open([3], 'c1');
    const field = await screen.findByLabelText('Correo electrónico', { selector: 'input[type="email"]' });
    fireEvent.click(screen.getByRole('button', { name: 'Enviar correo' }));
    expect(await screen.findByText('Escriba el correo electrónico')).toBeTruthy();
    expect(calls).toEqual([]);
    fireEvent.change(field, { target: { value: 'ana@example.es' } });
    fireEvent.click(screen.getByRole('button', { name: 'Enviar correo' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(calls).toEqual([{ emailOPhone: 'ana@example.es', type: 3, customerId: 'c1' }]);
    expect(await screen.findByText('Invitación enviada')).toBeTruthy();
  });

  it('sends by SMS, and names the channel on the button', async () => {
    answer = () => Response.json({ invitation: { _id: 'i', emailOPhone: '+34612034578' } });
    open([5]);
    fireEvent.click(await screen.findByText('SMS'));
    fireEvent.change(screen.getByLabelText('Móvil'), { target: { value: '612 034 578' } });
    fireEvent.click(screen.getByRole('button', { name: 'Enviar SMS' }));
    await waitFor(() => expect(calls).toEqual([{ emailOPhone: '+34612034578', type: 5 }]));
  });

  it('keeps what was typed when the server refuses, and says why', async () => {
    answer = () => Response.json({ code: 'USER_NAME_TAKEN' }, { status: 409 });
    open();
    const field = await screen.findByLabelText('Correo electrónico', { selector: 'input[type="email"]' });
    fireEvent.change(field, { target: { value: 'ana@example.es' } });
    fireEvent.click(screen.getByRole('button', { name: 'Enviar correo' }));
    expect(await screen.findByText('Ya existe una cuenta con ese usuario en la empresa.')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    expect((field as HTMLInputElement).value).toBe('ana@example.es');
  });
});
