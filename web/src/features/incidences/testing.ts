import type { Incidence, IncidenceDetail } from './types';

/** Incidences for tests. */
export const incidence = (part: Partial<Incidence> = {}): Incidence => ({
  _id: 'i1',
  number: 'INC-000012',
  type: 1,
  reason: 2,
  status: 1,
  comments: 'El vídeo se congela\na los dos minutos',
  expedientNumber: '2026-118392',
  expedientId: '2026-118392',
  conferenceId: 'conf1',
  jwt: null,
  parent: 'c1',
  author: { _id: 'u3', name: 'Nuria Ferrer', role: 3 },
  company: { _id: 'c1', company: 'Peritaciones Levante, S.L.' },
  createdAt: '2026-11-22T09:00:00Z',
  updatedAt: '2026-11-22T09:30:00Z',
  imageCount: 0,
  answerCount: 0,
  lastAnswerAt: null,
  unread: false,
  erased: false,
  ...part,
});

export const detail = (part: Partial<IncidenceDetail> = {}): IncidenceDetail => ({
  ...incidence(),
  phoneNumber: '+34612034578',
  images: [],
  answers: [],
  notes: [],
  diagnostics: null,
  moves: [],
  ...part,
});
