/** Puts a page in the place of its first picture. If that fails, the picture stays, with its help and the number. */
import { type ComponentChild, render } from 'preact';

export function showPage(place: HTMLElement, page: ComponentChild): void {
  const before = Array.from(place.childNodes);
  place.replaceChildren();
  try {
    render(page, place);
  } catch {
    place.replaceChildren(...before);
    place.classList.add('failed');
  }
}
