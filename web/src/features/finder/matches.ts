const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** Whether every word of `wanted` begins a word of the label, accents and case apart. */
export function matches(label: string, wanted: string): boolean {
  const words = folded(label).split(/[\s/·-]+/);
  return folded(wanted)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)));
}
