/** 11 slides. Texts are `news.{name}Title`, `Text`, `Alt` and, where there is one, `Footer`. */
export const SLIDES = [
  { name: 'call', footer: false },
  { name: 'photo', footer: true },
  { name: 'shots', footer: true },
  { name: 'wait', footer: false },
  { name: 'lists', footer: false },
  { name: 'media', footer: true },
  { name: 'files', footer: true },
  { name: 'proof', footer: false },
  { name: 'case', footer: true },
  { name: 'request', footer: true },
  { name: 'notice', footer: true },
] as const;

export type Slide = (typeof SLIDES)[number];
export type Scheme = 'dark' | 'light';

// Pictures and films of our own screens, remade by `dev/news-pictures.mjs`; one for each scheme.
const files = import.meta.glob<string>('./pictures/*.{webp,webm}', { eager: true, query: '?url', import: 'default' });

export const pictureOf = ({ name }: Slide, scheme: Scheme): string | undefined =>
  files[`./pictures/${name}-${scheme}.webp`];

/** A few seconds without sound; most slides have none. */
export const filmOf = ({ name }: Slide, scheme: Scheme): string | undefined =>
  files[`./pictures/${name}-${scheme}.webm`];
