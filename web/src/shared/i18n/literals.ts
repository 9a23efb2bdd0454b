/**
 * Texts that must be there when no bundle is: literal, so the same in every language.
 * `retry` is ours.
 */
export const LITERALS = {
  changeError: 'Error al cambiar el idioma',
  loadError: 'Error al cargar el idioma',
  error: 'Error',
  missing: 'Error: No se ha podido cargar el idioma',
  retry: 'Reintentar',
} as const;
