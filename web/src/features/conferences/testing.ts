import type { ConferenceDetails, ProgressStep, StepName } from '@/api/types';

const steps: StepName[] = ['sent', 'delivered', 'opened', 'legal', 'permissions', 'connected'];

/** A waiting conference for tests, with some steps changed. */
export function waitingDetails(changes: Partial<Record<StepName, Partial<ProgressStep>>> = {}): ConferenceDetails {
  return {
    conference: {
      _id: 'conf1',
      expedientNumber: '2026-118392',
      type: 1,
      createdAt: '2026-11-05T11:39:00.000Z',
      customerName: 'Peritaciones Levante, S.L.',
      userName: 'Nuria Ferrer',
      phoneNumber: '+34612034578',
      contactPerson: 'Carmen Ortega',
      email: null,
      fullAddress: null,
      address: null,
      city: null,
      cityRegion: null,
      postalCode: null,
      region: null,
      carId: '4821 LKM',
      duration: null,
      sid: null,
      closed: false,
      closedAt: null,
      expiredAt: '2026-11-06T11:39:00.000Z',
      rooms: [],
      jwt: null,
      hash: '00'.repeat(16),
      isNewMedia: false,
      mediaRequestExpired: null,
      filesRequested: false,
      language: 'es',
      customerId: 'c1',
      userId: 'u1',
      appType: 'web',
      contactId: null,
      observation: 'pending',
    },
    tracks: [],
    participants: [],
    messages: [
      {
        _id: 'm1',
        channel: 'sms',
        to: '+34 612 ••• •78',
        subject: null,
        text: 'Pulse el enlace: https://atalaya.example/c/k7Pm3xQa2Z',
        state: 'sent',
        createdAt: '2026-11-05T11:39:04.000Z',
        sentAt: null,
        error: null,
        link: 'https://atalaya.example/c/k7Pm3xQa2Z',
      },
    ],
    progress: {
      steps: steps.map((step) => ({ step, state: 'pending', at: null, ...changes[step] })),
      current: 'sent',
    },
    recording: { state: 'idle', recordingId: null, startedAt: null, elapsedMs: 0, by: null },
    capabilities: { recording: true, engine: 'embedded' },
    url: 'ws://localhost',
    link: 'https://atalaya.example/c/k7Pm3xQa2Z',
  };
}
