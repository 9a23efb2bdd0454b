// The shape of the language bundle, from the Spanish source. Types only: the texts come from the server.
import type activation from '../../../../locales/es/activation.json';
import type agenda from '../../../../locales/es/agenda.json';
import type apikeys from '../../../../locales/es/apikeys.json';
import type audit from '../../../../locales/es/audit.json';
import type call from '../../../../locales/es/call.json';
import type certificate from '../../../../locales/es/certificate.json';
import type check from '../../../../locales/es/check.json';
import type client from '../../../../locales/es/client.json';
import type clientfiles from '../../../../locales/es/clientfiles.json';
import type common from '../../../../locales/es/common.json';
import type companies from '../../../../locales/es/companies.json';
import type conferences from '../../../../locales/es/conferences.json';
import type consumption from '../../../../locales/es/consumption.json';
import type contract from '../../../../locales/es/contract.json';
import type cookies from '../../../../locales/es/cookies.json';
import type errors from '../../../../locales/es/errors.json';
import type expedients from '../../../../locales/es/expedients.json';
import type fiscal from '../../../../locales/es/fiscal.json';
import type incidences from '../../../../locales/es/incidences.json';
import type insurers from '../../../../locales/es/insurers.json';
import type invoiceprocesses from '../../../../locales/es/invoiceprocesses.json';
import type invoices from '../../../../locales/es/invoices.json';
import type language from '../../../../locales/es/language.json';
import type legal from '../../../../locales/es/legal.json';
import type login from '../../../../locales/es/login.json';
import type marketing from '../../../../locales/es/marketing.json';
import type media from '../../../../locales/es/media.json';
import type messageservice from '../../../../locales/es/messageservice.json';
import type news from '../../../../locales/es/news.json';
import type notifications from '../../../../locales/es/notifications.json';
import type outbox from '../../../../locales/es/outbox.json';
import type prices from '../../../../locales/es/prices.json';
import type privacy from '../../../../locales/es/privacy.json';
import type push from '../../../../locales/es/push.json';
import type recovery from '../../../../locales/es/recovery.json';
import type reports from '../../../../locales/es/reports.json';
import type roles from '../../../../locales/es/roles.json';
import type security from '../../../../locales/es/security.json';
import type sepa from '../../../../locales/es/sepa.json';
import type setup from '../../../../locales/es/setup.json';
import type shell from '../../../../locales/es/shell.json';
import type shots from '../../../../locales/es/shots.json';
import type smstexts from '../../../../locales/es/smstexts.json';
import type statistics from '../../../../locales/es/statistics.json';
import type upload from '../../../../locales/es/upload.json';
import type users from '../../../../locales/es/users.json';
import type verifactu from '../../../../locales/es/verifactu.json';
import type verify from '../../../../locales/es/verify.json';
import type videocall from '../../../../locales/es/videocall.json';
import type videocallrequests from '../../../../locales/es/videocallrequests.json';

export interface Resources {
  activation: typeof activation;
  agenda: typeof agenda;
  apikeys: typeof apikeys;
  audit: typeof audit;
  call: typeof call;
  certificate: typeof certificate;
  check: typeof check;
  client: typeof client;
  clientfiles: typeof clientfiles;
  common: typeof common;
  companies: typeof companies;
  conferences: typeof conferences;
  consumption: typeof consumption;
  contract: typeof contract;
  cookies: typeof cookies;
  errors: typeof errors;
  expedients: typeof expedients;
  fiscal: typeof fiscal;
  incidences: typeof incidences;
  insurers: typeof insurers;
  invoiceprocesses: typeof invoiceprocesses;
  invoices: typeof invoices;
  language: typeof language;
  legal: typeof legal;
  login: typeof login;
  marketing: typeof marketing;
  media: typeof media;
  messageservice: typeof messageservice;
  news: typeof news;
  notifications: typeof notifications;
  outbox: typeof outbox;
  prices: typeof prices;
  privacy: typeof privacy;
  push: typeof push;
  recovery: typeof recovery;
  reports: typeof reports;
  roles: typeof roles;
  security: typeof security;
  sepa: typeof sepa;
  setup: typeof setup;
  shell: typeof shell;
  shots: typeof shots;
  smstexts: typeof smstexts;
  statistics: typeof statistics;
  upload: typeof upload;
  users: typeof users;
  verifactu: typeof verifactu;
  verify: typeof verify;
  videocall: typeof videocall;
  videocallrequests: typeof videocallrequests;
}

/** Namespaces of the staff app, one per room. `common` first: it is the default one. */
export const namespaces = [
  'common',
  'activation',
  'agenda',
  'apikeys',
  'audit',
  'call',
  'certificate',
  'check',
  'client',
  'clientfiles',
  'companies',
  'conferences',
  'consumption',
  'contract',
  'cookies',
  'errors',
  'expedients',
  'fiscal',
  'incidences',
  'insurers',
  'invoiceprocesses',
  'invoices',
  'language',
  'legal',
  'login',
  'marketing',
  'media',
  'messageservice',
  'news',
  'notifications',
  'outbox',
  'prices',
  'privacy',
  'push',
  'recovery',
  'reports',
  'roles',
  'security',
  'sepa',
  'setup',
  'shell',
  'shots',
  'smstexts',
  'statistics',
  'upload',
  'users',
  'verifactu',
  'verify',
  'videocall',
  'videocallrequests',
] as const satisfies readonly (keyof Resources)[];
