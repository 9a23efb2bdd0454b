/** Starts the page. If our inline style was refused by a policy, the same style is linked instead. */
import { App } from './app';
import styles from './client.css?url';
import { loadTexts, startLanguage } from './i18n';
import { showPage } from './show';

const place = document.getElementById('app');
if (place) {
  if (!getComputedStyle(document.documentElement).getPropertyValue('--at-bg')) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = styles;
    document.head.append(link);
  }
  // Whoever checks a phone gets a page of its own; nobody else loads it.
  const checks = /^\/external\/check\/?$/.test(location.pathname);
  const start = () =>
    checks
      ? import('./check/CheckPage').then(({ CheckPage }) => showPage(place, <CheckPage />))
      : showPage(place, <App />);
  // Without its texts the page speaks Spanish; a person who waits sees more in any language than nothing.
  loadTexts(startLanguage()).then(start, start);
}
