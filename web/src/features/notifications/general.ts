import { madridMoment, madridWall } from '@/shared/lib/dates';
import { paragraphs } from '@/shared/lib/markup';
import type { NewGeneralNotice } from './api';
import { visit } from './model';

/** Everybody, or one role. */
export const AUDIENCES = [0, 2, 3, 4, 5, 6, 7] as const;
export const TEXT_MAX = 250;
export const BODY_MAX = 20_000;
const DAY_MS = 86_400_000;
/** How long one may be in force, milliseconds. */
export const FORCE_MS = 366 * DAY_MS;
/** In force unless somebody says otherwise, milliseconds. */
const USUAL_MS = 30 * DAY_MS;

/** What the form holds. Times as they stand on a clock in Madrid, `2026-11-24 09:00:00`. */
export interface GeneralForm extends Record<string, unknown> {
  text: string;
  url: string;
  /** Null: right away. */
  startAt: string | null;
  expiresAt: string | null;
  roleGroup: string;
  body: string;
}

export const emptyForm = (now: number): GeneralForm => ({
  text: '',
  url: '',
  startAt: null,
  expiresAt: `${madridWall(now + USUAL_MS).slice(0, 10)} 23:59:00`,
  roleGroup: '0',
  body: '',
});

export type Problem = 'required' | 'long' | 'url' | 'date' | 'before' | 'past' | 'far';

/** What is wrong with each field; the server has the last word. `now` in milliseconds. */
export function problemsOf(values: GeneralForm, now: number): Partial<Record<keyof GeneralForm & string, Problem>> {
  const wrong: Partial<Record<string, Problem>> = {};
  const text = values.text.trim();
  if (!text) wrong.text = 'required';
  else if ([...text].length > TEXT_MAX) wrong.text = 'long';
  const url = values.url.trim();
  if (url && !(/^(https?:\/\/[^/?#]*\.|\/(?![/\\]))/i.test(url) && !/\s/.test(url) && visit(url))) wrong.url = 'url';
  const start = madridMoment(values.startAt);
  if (values.startAt && !start) wrong.startAt = 'date';
  const from = Math.max(start ? Date.parse(start) : now, now);
  const end = Date.parse(madridMoment(values.expiresAt) ?? '');
  if (!values.expiresAt) wrong.expiresAt = 'required';
  else if (Number.isNaN(end)) wrong.expiresAt = 'date';
  else if (end <= now) wrong.expiresAt = 'past';
  else if (end <= from) wrong.expiresAt = 'before';
  else if (end > from + FORCE_MS) wrong.expiresAt = 'far';
  if ([...values.body].length > BODY_MAX) wrong.body = 'long';
  return wrong;
}

/** The body as markup: each line that was typed stays a line. */
export const markup = (body: string): string => paragraphs(body, '<br>');

export const toNotice = (values: GeneralForm): NewGeneralNotice => ({
  text: values.text.trim(),
  url: values.url.trim() || null,
  startAt: madridMoment(values.startAt),
  expiresAt: madridMoment(values.expiresAt) ?? '',
  roleGroup: Number(values.roleGroup),
  body: markup(values.body) || null,
});

export type Tool = 'bold' | 'heading' | 'bullets' | 'link';

const AROUND: Record<Tool, [string, string]> = {
  bold: ['<b>', '</b>'],
  heading: ['<h2>', '</h2>'],
  bullets: ['<ul>\n  <li>', '</li>\n</ul>'],
  link: ['<a href="https://">', '</a>'],
};

/** Puts markup around what is selected. Answers the new text and what is selected in it. */
export function decorated(
  body: string,
  from: number,
  to: number,
  tool: Tool,
): { body: string; from: number; to: number } {
  const [before, after] = AROUND[tool];
  const chosen = body.slice(from, to);
  const inside = tool === 'bullets' ? chosen.split('\n').join('</li>\n  <li>') : chosen;
  const start = from + before.length;
  return {
    body: body.slice(0, from) + before + inside + after + body.slice(to),
    from: start,
    to: start + inside.length,
  };
}
