import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserCompany } from '@/api/types';
import { missingForCalls } from '@/features/home/components/NotAllowed';
import { session } from '@/shared/session';
import { sockets } from '@/test/fake-socket';
import { fakeServer, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { Shell } from '../shell/Shell';
import { CallEntryPage } from './CallEntryPage';

vi.mock('socket.io-client', () => import('@/test/fake-socket'));
vi.mock('@/features/conferences/pages/NewVideocallPage', () => ({ NewVideocallPage: () => <p>the form</p> }));

beforeAll(() => useTexts());

const blocked: UserCompany = {
  _id: 'c1',
  company: 'Peritaciones Levante, S.L.',
  companyType: '2',
  mayCall: false,
  blocked: true,
  missing: ['legal', 'iban'],
};
const logIn = (role: number, company: UserCompany) =>
  session.save(tokenWith({ role, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role, company }, [
    { name: 'shell.newVideocall', url: '/vp-form', icon: 'videoplus' },
  ]);

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

describe('/vp-form', () => {
  it('tells a customer what is missing, and leads to where it is mended', async () => {
    await logIn(2, blocked);
    showPage(CallEntryPage, '/vp-form', '/vp-form');
    await screen.findByText('Debe actualizar el IBAN y aceptar los términos para continuar');
    expect(screen.getByText('Falta aceptar los términos')).toBeTruthy();
    expect(screen.getByText('Falta la cuenta bancaria (IBAN)')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Actualizar datos' }).getAttribute('href')).toBe('/customer/c1/perfil');
    expect(screen.queryByText('the form')).toBeNull();
  });

  it('tells a worker whom to ask', async () => {
    await logIn(3, blocked);
    showPage(CallEntryPage, '/vp-form', '/vp-form');
    await screen.findByText('Su administrador debe actualizar el IBAN y aceptar los términos');
    expect(screen.getByText('Pídaselo al responsable de su empresa.')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Actualizar datos' })).toBeNull();
  });

  it('does not ask for data that are there', async () => {
    await logIn(2, { ...blocked, missing: ['status'] });
    showPage(CallEntryPage, '/vp-form', '/vp-form');
    await screen.findByText('La empresa no está activa');
    expect(screen.queryByText(/actualizar el IBAN/)).toBeNull();
    expect(screen.getByText(/Contacte con Atalaya/)).toBeTruthy();
  });

  it('says when what only time brings will come', async () => {
    await logIn(3, { ...blocked, missing: ['payStart'], pay_startAt: '2026-12-10T23:00:00Z' });
    showPage(CallEntryPage, '/vp-form', '/vp-form');
    await screen.findByText('Se abrirán el 11 de diciembre de 2026, al empezar la facturación');
    expect(screen.queryByText(/Pídaselo/)).toBeNull();
  });

  it('opens by itself as soon as the company may call', async () => {
    await logIn(3, blocked);
    showPage(CallEntryPage, '/vp-form', '/vp-form');
    await screen.findByRole('alert');
    await session.refresh({ ...nuria, role: 3, company: { ...blocked, mayCall: true, missing: [] } }, []);
    expect(await screen.findByText('the form', {}, { timeout: 20_000 })).toBeTruthy();
  });

  it('is the screen of the password operator', async () => {
    await logIn(8, { ...blocked, companyType: '1' });
    server.answers['password-users'] = () =>
      Response.json({ users: [{ _id: 'u9', userName: 'x@y.es', company: 'Taller X', role: 7, status: 2 }] });
    showPage(CallEntryPage, '/vp-form', '/vp-form');
    expect(await screen.findByRole('heading', { name: 'Contraseñas de usuarios' }, { timeout: 20_000 })).toBeTruthy();
  });

  it('asks first for what one can mend oneself', () => {
    expect(missingForCalls({ ...blocked, missing: ['iban', 'payStart'] })).toEqual(['iban']);
    expect(missingForCalls({ ...blocked, missing: ['payStart', 'status'] })).toEqual(['payStart', 'status']);
    expect(missingForCalls(null)).toEqual([]);
  });
});

describe('the menu', () => {
  it('reacts to the unblock signal without a reload', async () => {
    await logIn(2, blocked);
    let open = false;
    const company = () => (open ? { ...blocked, blocked: false, mayCall: true, missing: [] } : blocked);
    server.answers.me = () => Response.json({ user: { ...nuria, company: company() }, menu: [] });
    sockets.length = 0;
    showPage(Shell, '/vp-form', '/vp-form');
    const note = await screen.findByRole('complementary', { name: 'Solicitudes de videollamada bloqueadas' });
    expect(note.textContent).toContain('Falta la cuenta bancaria (IBAN)');
    await vi.waitFor(() => expect(sockets).toHaveLength(1));
    open = true;
    sockets[0]?.accept();
    sockets[0]?.emit('unblockMenu_u1', { state: 'unblocked' });
    await vi.waitFor(
      () => expect(screen.queryByRole('complementary', { name: 'Solicitudes de videollamada bloqueadas' })).toBeNull(),
      { timeout: 8_000 },
    );
  });

  it('links the banner to the company page for who may open it', async () => {
    const banner = { kind: 'EXPIRED' as const, link: true, date: '2026-11-01T00:00:00Z' };
    await logIn(4, { ...blocked, banner, blocked: false });
    showPage(Shell, '/vp-form', '/vp-form');
    const link = await screen.findByRole('link', { name: 'Actualizar datos' });
    expect(link.getAttribute('href')).toBe('/customer/c1/perfil');
  });

  it('tells others whom to ask', async () => {
    const banner = { kind: 'EXPIRED' as const, link: true, date: '2026-11-01T00:00:00Z' };
    await logIn(5, { ...blocked, banner, blocked: false });
    showPage(Shell, '/vp-form', '/vp-form');
    expect((await screen.findByText(/Su periodo de prueba ha terminado/)).textContent).toContain('Pídaselo');
    expect(screen.queryByRole('link', { name: 'Actualizar datos' })).toBeNull();
  });
});
