import { createHash } from 'node:crypto';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import type { HashJob, HashNews } from '../hash.worker';
import type { Signature, VerifiedCertificate } from '../model';
import { VerifyPage } from './VerifyPage';
import { VerifyStartPage } from './VerifyStartPage';

beforeAll(() => useTexts());

const CODE = '01234-56789-ABCDE-FGHJK';
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const certificate: VerifiedCertificate = {
  number: 'C2026-000123',
  code: '01234-56789-ABCDE-FGHJK',
  issuedAt: '2026-11-19T12:00:00Z',
  company: 'Peritaciones Levante',
  expedient: '20••••••92',
  state: 'valid',
  sha256: hash('certificate'),
  head: hash('head'),
  root: hash('root'),
  sealedAt: '2026-11-19T11:59:00Z',
  events: 13,
  timestamp: null,
  signature: {
    fingerprint: hash('key'),
    publicKey: 'MFkw',
    signature: 'MEUC',
    retiredAt: null,
    stolenOn: null,
  },
  media: [
    { n: 1, type: 'PICTURE', sha256: hash('one'), capturedAt: '2026-11-19T10:48:00Z' },
    { n: 2, type: 'VIDEO', sha256: hash('two'), capturedAt: '2026-11-19T10:49:00Z' },
  ],
};
let server: ReturnType<typeof fakeServer>;
let answer: VerifiedCertificate;

/** Stands in for the page's worker: its script runs only in a browser (journeys). */
class FakeWorker {
  static last: FakeWorker;
  jobs: HashJob[] = [];
  onmessage: ((event: MessageEvent<HashNews>) => void) | null = null;
  onerror: (() => void) | null = null;
  constructor() {
    FakeWorker.last = this;
  }
  postMessage(job: HashJob) {
    this.jobs.push(job);
  }
  terminate() {}
  say = (news: HashNews) => act(() => this.onmessage?.(new MessageEvent('message', { data: news })));
}

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
  answer = certificate;
  server = fakeServer();
  server.answers[`verification/${CODE}`] = () => Response.json({ certificate: answer });
});

const show = (code: string) => showPage(VerifyPage, '/verificar/$code', `/verificar/${code}`);
const bring = (name: string) => {
  const file = new File(['content'], name);
  fireEvent.change(screen.getByTestId('verify-file'), { target: { files: [file] } });
};

it('says of each file whether it belongs, which one it is, and how far it has been read', async () => {
  show(CODE);
  await screen.findByText('Certificado válido');
  bring('mia.jpg');
  FakeWorker.last.say({ id: 0, read: 3 });
  await screen.findByText(/Leyendo… 42 %/);
  FakeWorker.last.say({ id: 0, sha256: hash('two') });
  await screen.findByText('Pertenece al certificado: archivo n.º 2');
  bring('otra.jpg');
  bring('rota.jpg');
  FakeWorker.last.say({ id: 1, sha256: hash('three') });
  FakeWorker.last.say({ id: 2, failed: true });
  await screen.findByText('No coincide con ningún archivo del certificado');
  await screen.findByText('No se ha podido leer el archivo');
  expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /api/v1/verification/${CODE}`]);
});

it('warns when the certificate that a file belongs to is void', async () => {
  answer = { ...certificate, state: 'void' };
  show(CODE);
  await screen.findByText('Certificado anulado');
  bring('mia.jpg');
  FakeWorker.last.say({ id: 0, sha256: hash('one') });
  await screen.findByText('Atención: el certificado está anulado.');
});

it('asks the server nothing for what cannot be a code, and takes one typed in any usual way', async () => {
  const page = show('hola');
  await screen.findByText('No encontrado');
  expect(server.calls).toEqual([]);
  type('Código de verificación', '0123');
  press('Comprobar');
  await screen.findByText(/El código tiene 20 letras y números/);
  type('Código de verificación', 'oi234 56789 abcde fghjk');
  press('Comprobar');
  await screen.findByText('Certificado válido');
  expect(page.where()).toBe(`/verificar/${CODE}`);
});

it('tells an unknown code from a failure', async () => {
  server.answers[`verification/${CODE}`] = () => problem(404, 'CERTIFICATE_NOT_FOUND');
  show(CODE);
  await screen.findByText('No encontrado');
});

it('offers another try after a failure', async () => {
  server.answers[`verification/${CODE}`] = () => problem(429, 'TOO_MANY_REQUESTS');
  show(CODE);
  await screen.findByText('No se ha podido comprobar el certificado');
  server.answers[`verification/${CODE}`] = () => Response.json({ certificate });
  press('Reintentar');
  await screen.findByText('C2026-000123');
});

it('says that what is kept is no longer what was sealed', async () => {
  answer = { ...certificate, state: String('broken') as VerifiedCertificate['state'] };
  show(CODE);
  await screen.findByText('El registro no coincide con el sello');
  expect(screen.queryByText('Certificado válido')).toBeNull();
});

it('takes an archive of a case: what belongs, what does not, what it lacks', async () => {
  show(CODE);
  await screen.findByText('Certificado válido');
  bring('caso.zip');
  const archive = [
    { path: 'golpe.jpg', sha256: hash('one') },
    { path: 'otra.jpg', sha256: hash('three') },
  ];
  FakeWorker.last.say({ id: 0, sha256: hash('zip'), archive });
  await screen.findByText('1 de 2 archivos del ZIP pertenecen al certificado');
  await screen.findByText(/otra\.jpg: no coincide/);
  await screen.findByText('No está en el ZIP: archivo n.º 2');
});

it('asks for a code where the address has none', async () => {
  const page = showPage(VerifyStartPage, '/verificar', '/verificar');
  await screen.findByLabelText('Código de verificación');
  type('Código de verificación', CODE);
  press('Comprobar');
  expect(page.where()).toBe(`/verificar/${CODE}`);
});

it('names the key that signed, and what is known of it since', async () => {
  answer = { ...certificate, signature: { ...(certificate.signature as Signature), stolenOn: '2026-11-25' } };
  show(CODE);
  await screen.findByText(/Clave denunciada como robada el 25/);
  expect(document.body.textContent).toContain(hash('key'));
  expect(screen.getByRole('link', { name: 'Descargar las claves públicas' }).getAttribute('href')).toBe(
    '/.well-known/atalaya-evidence.pem',
  );
});

it('says of an older seal that there was no key yet', async () => {
  answer = { ...certificate, signature: null };
  show(CODE);
  await screen.findByText('Se selló antes de que la instalación tuviera clave');
});
