import { startOfMadridDay } from '@/shared/lib/dates';
import { paragraphs } from '@/shared/lib/markup';
import type { LegalVersion, NewLegal } from './api';

export const TITLE_MAX = 150;
/** Characters of a text; as many as a long contract has, and no file by mistake. */
export const HTML_MAX = 200_000;

export const keyOf = ({ type, version }: Pick<LegalVersion, 'type' | 'version'>) => `${type}-${version}`;

export type VersionState = 'inForce' | 'scheduled' | 'past';

/** `now` in milliseconds. */
export const stateOf = ({ inForce, inForceFrom }: LegalVersion, now: number): VersionState =>
  inForce ? 'inForce' : Date.parse(inForceFrom) > now ? 'scheduled' : 'past';

/** The version of the same kind before this one. */
export const before = (versions: readonly LegalVersion[], { type, version }: LegalVersion): LegalVersion | undefined =>
  versions.filter((one) => one.type === type && one.version < version).sort((a, b) => b.version - a.version)[0];

/** The text of a version in a language, else the Spanish one, else any. */
export const textIn = ({ texts }: LegalVersion, language: string) =>
  texts.find((text) => text.language === language) ?? texts.find((text) => text.language === 'es') ?? texts[0];

/** What the form holds. */
export interface LegalForm extends Record<string, unknown> {
  title: string;
  html: string;
  language: string;
  /** Day in Madrid; empty: from now on. */
  inForceFrom: string;
}

export type FieldProblem = 'required' | 'long' | 'date' | 'past';

/** What is wrong with each field; the server has the last word. `today`: the day in Madrid. */
export function problemsOf(values: LegalForm, today: string): Partial<Record<keyof LegalForm & string, FieldProblem>> {
  const wrong: Partial<Record<string, FieldProblem>> = {};
  if (!values.title.trim()) wrong.title = 'required';
  else if ([...values.title.trim()].length > TITLE_MAX) wrong.title = 'long';
  if (!words(values.html)) wrong.html = 'required';
  else if ([...values.html].length > HTML_MAX) wrong.html = 'long';
  if (values.inForceFrom && !startOfMadridDay(values.inForceFrom)) wrong.inForceFrom = 'date';
  else if (values.inForceFrom && values.inForceFrom < today) wrong.inForceFrom = 'past';
  return wrong;
}

const words = (html: string) => html.replace(/<[^>]*>/g, '').trim();

/** The body of `POST legal`. `version`: a further language of that one. */
export function toLegal(type: number, values: LegalForm, version?: number): NewLegal {
  const inForceFrom = version === undefined ? startOfMadridDay(values.inForceFrom) : null;
  return {
    type,
    title: values.title.trim(),
    html: paragraphs(values.html),
    language: values.language,
    ...(inForceFrom ? { inForceFrom } : {}),
    ...(version === undefined ? {} : { version }),
  };
}
