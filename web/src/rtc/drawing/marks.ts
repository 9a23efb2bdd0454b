/**
 * What is drawn on a frozen picture (DRAW-4): marks in places of the frame, each coordinate from 0 (left, top) to 1 in
 * ten-thousandths. The server checks the same (`crates/records/src/drawings/model.rs`, `vectors/drawings.json`).
 */

export const KINDS = ['pen', 'arrow', 'ellipse', 'text', 'number'] as const;
export type Kind = (typeof KINDS)[number];

/** 1 yellow, 2 red, 3 white: the look's inks on a picture, always with a dark casing. */
export const TONES = [1, 2, 3] as const;
export type Tone = (typeof TONES)[number];
export const INKS: Record<Tone, string> = { 1: '#ffe14a', 2: '#ff5a4f', 3: '#ffffff' };

export interface Mark {
  /** Made by whoever draws it; 8 to 24 letters and digits. */
  id: string;
  kind: Kind;
  tone: Tone;
  /** `x, y, x, y, …`: the line of a pen, tail and head of an arrow, two corners about an ellipse, one place otherwise. */
  points: readonly number[];
  /** Of a text. */
  text?: string;
  /** Of a number. */
  number?: number;
}

export const MARKS_MAX = 200;
/** Points of one line. */
export const LINE_POINTS_MAX = 500;
/** Points of a whole drawing. */
export const POINTS_MAX = 8_000;
/** Characters of a text. */
export const TEXT_MAX = 80;
export const NUMBER_MAX = 99;

/** Least and most points of a kind. */
const POINTS: Record<Kind, readonly [number, number]> = {
  pen: [2, LINE_POINTS_MAX],
  arrow: [2, 2],
  ellipse: [2, 2],
  text: [1, 1],
  number: [1, 1],
};

const ID = /^[A-Za-z0-9]{8,24}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a text is one line without them.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export const isMarkId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

const isPlace = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/** Four decimals: a fifth of a pixel of 1,920. */
export const short = (value: number): number => Math.round(value * 1e4) / 1e4;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && [...value].length <= TEXT_MAX && !CONTROL.test(value);

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= NUMBER_MAX;

/** Null for anything that is not a well-formed mark within its frame. Never throws. */
export function markOf(raw: unknown): Mark | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { id, kind, tone, points, text, number } = raw as Record<string, unknown>;
  if (!isMarkId(id) || !KINDS.includes(kind as Kind) || !TONES.includes(tone as Tone)) return null;
  const [least, most] = POINTS[kind as Kind];
  if (!Array.isArray(points) || points.length % 2 !== 0) return null;
  if (points.length < least * 2 || points.length > most * 2 || !points.every(isPlace)) return null;
  const mark = { id, kind: kind as Kind, tone: tone as Tone, points: points.map(short) };
  if (kind === 'text') return isText(text) ? { ...mark, text } : null;
  if (kind === 'number') return isNumber(number) ? { ...mark, number } : null;
  return mark;
}

/** A place of a mark in px. */
export const placeAt = (mark: Mark, nth: number, width: number, height: number): { x: number; y: number } => ({
  x: (mark.points[nth * 2] ?? 0) * width,
  y: (mark.points[nth * 2 + 1] ?? 0) * height,
});

export const pointsIn = (marks: readonly Mark[]): number =>
  marks.reduce((sum, { points }) => sum + points.length / 2, 0);

/** The number that comes next: one more than the highest. Null when all are used. */
export function nextNumber(marks: readonly Mark[]): number | null {
  const next = 1 + marks.reduce((most, { number }) => Math.max(most, number ?? 0), 0);
  return next <= NUMBER_MAX ? next : null;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newMarkId(
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes),
): string {
  return Array.from(random(new Uint8Array(12)), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
