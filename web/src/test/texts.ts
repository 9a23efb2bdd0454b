import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { i18n } from '@/shared/i18n';

const folder = (language: string) => resolve(import.meta.dirname, '../../../locales', language);

/** The texts of one language, by namespace, as the server sends them. */
export function bundle(language: string): Record<string, Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder(language))
      .filter((file) => file.endsWith('.json'))
      .map((file) => [basename(file, '.json'), JSON.parse(readFileSync(resolve(folder(language), file), 'utf8'))]),
  );
}

/** Puts the real texts into the translator, so that components are tested with what people read. */
export async function useTexts(language = 'es'): Promise<void> {
  for (const [namespace, texts] of Object.entries(bundle(language))) {
    i18n.addResourceBundle(language, namespace, texts, true, true);
  }
  await i18n.changeLanguage(language);
}
