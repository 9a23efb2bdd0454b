/** Starts the upload page. If our inline style was refused by a policy, the same style is linked instead. */
import styles from '../client.css?url';
import { showPage } from '../show';
import { startLanguage } from '../words';
import { App } from './app';
import fileStyles from './files.css?url';
import { loadTexts } from './texts';

const place = document.getElementById('app');
if (place) {
  if (!getComputedStyle(document.documentElement).getPropertyValue('--at-bg')) {
    for (const href of [styles, fileStyles]) {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = href;
      document.head.append(link);
    }
  }
  const start = () => showPage(place, <App />);
  // Without its texts the page speaks Spanish; a person who waits sees more in any language than nothing.
  loadTexts(startLanguage()).then(start, start);
}
