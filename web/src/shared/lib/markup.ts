const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Words without a single tag become paragraphs; markup stays as it is. `line`: what stands between two lines of one. */
export function paragraphs(typed: string, line = '\n'): string {
  const text = typed.trim();
  if (/<\/?[a-z][^>]*>/i.test(text)) return text;
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim())
    .map((paragraph) => {
      const escaped = paragraph.trim().replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
      return `<p>${escaped.replace(/\n/g, line)}</p>`;
    })
    .join('\n');
}
