import type { ChainRecord, Declaration, Verifactu } from './model';

export const state: Verifactu = {
  mode: 'production',
  bindingFrom: '2027-01-01',
  blocked: false,
  environment: {
    host: 'www1.agenciatributaria.gob.es',
    system: { name: 'Atalaya', id: 'AT', version: '0.6.0', installation: '1' },
  },
  certificate: { subject: 'CN=Atalaya Servicios', expiresAt: '2099-05-01T00:00:00Z' },
  chain: { records: 1204, head: 'AB12'.repeat(16), lastAt: '2026-11-02T08:00:00Z' },
  queue: {
    local: 0,
    pending: 2,
    sent: 0,
    accepted: 1200,
    withErrors: 1,
    rejected: 1,
    nextAt: '2026-11-02T08:01:00Z',
    lastError: null,
    lastErrorText: null,
    lastErrorAt: null,
  },
};

export const record: ChainRecord = {
  _id: 'r1204',
  seq: 1204,
  at: '2026-11-02T08:00:00Z',
  kind: 'issued',
  invoiceType: 'F1',
  correction: false,
  invoiceId: 'i1',
  number: 'A2026-001204',
  issueDate: '2026-11-02',
  total: 3962.21,
  hash: 'AB12'.repeat(16),
  state: 'accepted',
  sentAt: '2026-11-02T08:00:30Z',
  csv: 'A-7QX2LMV3',
  code: null,
  message: null,
  resendable: false,
  correctable: false,
};

export const rejected: ChainRecord = {
  ...record,
  _id: 'r1203',
  seq: 1203,
  number: 'A2026-001203',
  state: 'rejected',
  csv: null,
  code: '1153',
  message: 'El NIF del destinatario no está identificado',
  resendable: true,
  correctable: true,
};

export const declaration: Declaration = {
  points: [
    { point: 'a', text: 'Atalaya' },
    { point: 'e', text: 'Sí, solo VERI*FACTU' },
    { point: 'l', text: '' },
  ],
  version: '0.6.0',
  signedAt: null,
};

const HEAD = '<?xml version="1.0" encoding="UTF-8"?><RegistroAlta>';
const NUMBER = '<IDFactura><NumSerieFactura>A2026-001204</NumSerieFactura></IDFactura>';
export const XML = `${HEAD}<IDVersion>1.0</IDVersion>${NUMBER}<Vacio/></RegistroAlta>`;
/** With the words that may be corrected. */
export const WORDED_XML = `${HEAD}${NUMBER}<DescripcionOperacion>Servicio de videoasistencia</DescripcionOperacion><Destinatarios><IDDestinatario><NombreRazon>Peritaciones Levante</NombreRazon></IDDestinatario></Destinatarios></RegistroAlta>`;
