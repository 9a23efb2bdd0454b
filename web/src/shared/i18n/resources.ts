// The shape of the language bundle, from the Spanish source. Types only: the texts come from the server.
import type call from '../../../../locales/es/call.json';
import type client from '../../../../locales/es/client.json';
import type common from '../../../../locales/es/common.json';
import type conferences from '../../../../locales/es/conferences.json';
import type cookies from '../../../../locales/es/cookies.json';
import type errors from '../../../../locales/es/errors.json';
import type language from '../../../../locales/es/language.json';
import type login from '../../../../locales/es/login.json';
import type media from '../../../../locales/es/media.json';
import type outbox from '../../../../locales/es/outbox.json';
import type roles from '../../../../locales/es/roles.json';
import type shell from '../../../../locales/es/shell.json';
import type videocall from '../../../../locales/es/videocall.json';

export interface Resources {
  common: typeof common;
  call: typeof call;
  client: typeof client;
  conferences: typeof conferences;
  cookies: typeof cookies;
  errors: typeof errors;
  language: typeof language;
  login: typeof login;
  media: typeof media;
  outbox: typeof outbox;
  roles: typeof roles;
  shell: typeof shell;
  videocall: typeof videocall;
}

/** Namespaces of the staff app, one per room. `common` first: it is the default one. */
export const namespaces = [
  'common',
  'call',
  'client',
  'conferences',
  'cookies',
  'errors',
  'language',
  'login',
  'media',
  'outbox',
  'roles',
  'shell',
  'videocall',
] as const satisfies readonly (keyof Resources)[];
