import type { Language } from '@/api/types';

/** The chosen language moves to the top of the list. */
export function chosenFirst(languages: Language[], chosen: string): Language[] {
  const found = languages.find((language) => language.code === chosen);
  if (!found) return languages;
  return [found, ...languages.filter((language) => language.code !== chosen)];
}
