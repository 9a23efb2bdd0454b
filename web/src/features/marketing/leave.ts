/** Goes on to another site. Only to a web address: whatever else stands there is not followed. */
export function leave(href: string): void {
  const target = URL.canParse(href) ? new URL(href) : null;
  if (target && (target.protocol === 'https:' || target.protocol === 'http:')) window.location.assign(target.href);
}
