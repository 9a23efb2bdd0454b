/** The points of the list, by the names that the server gives them. */
export const POINTS = ['sms', 'email', 'mailbox', 'address', 'backup', 'legalTexts', 'legalPages'] as const;
export type Point = (typeof POINTS)[number];

export const isPoint = (key: string): key is Point => POINTS.some((point) => point === key);

/** What is typed on the server for a point, with an example. Names of settings are the same in every language. */
export const HOW: Partial<Record<Point, { kind: 'setting' | 'command'; text: string }>> = {
  sms: { kind: 'setting', text: 'ATALAYA_SMS_URL=twilio://…' },
  email: { kind: 'setting', text: 'ATALAYA_SMTP_URL=smtps://…' },
  mailbox: { kind: 'setting', text: 'ATALAYA_ADMIN_MAILBOX=…' },
  address: { kind: 'setting', text: 'ATALAYA_PUBLIC_URL=https://…' },
  backup: { kind: 'command', text: 'atalaya backup …' },
  legalPages: { kind: 'setting', text: 'ATALAYA_LEGAL_URL=https://…  ATALAYA_PRIVACY_URL=https://…' },
};
