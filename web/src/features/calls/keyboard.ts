/** Who owns a key: a field, a dialog, a button that the keyboard reached, or the picture. */

const FIELDS =
  'input, textarea, select, [contenteditable], [role="slider"], [role="textbox"], [role="combobox"], [role="dialog"], [role="menu"], [role="listbox"]';
const PRESSED = 'button, a, summary, [role="button"], [role="tab"], [role="switch"], [role="checkbox"]';

/** What moves its own choice with the arrows. */
const CHOICES = '[role="tab"], [role="radio"]';

/** Whether somebody types, or a dialog, a menu or a choice has the key. */
export function keepsKeys({ target, key }: Pick<KeyboardEvent, 'target' | 'key'>): boolean {
  if (document.querySelector('[aria-modal="true"], [role="menu"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.closest(FIELDS) !== null || (key.startsWith('Arrow') && target.closest(CHOICES) !== null);
}

/** Keys that only type or trigger; every other one may move the focus. */
const SILENT = new Set(['Shift', 'Control', 'Alt', 'Meta', ' ']);

/**
 * Remembers how the focus came to where it is. A click on a button leaves the focus there, and the next space would
 * press it again: only a button that was reached by the keyboard keeps its space.
 */
export class FocusOrigin {
  private byKeyboard = false;
  private last: 'key' | 'pointer' = 'pointer';

  constructor(private readonly page: Document) {
    page.addEventListener('pointerdown', this.pointer, true);
    page.addEventListener('keydown', this.key, true);
    page.addEventListener('focusin', this.focus, true);
  }

  dispose(): void {
    this.page.removeEventListener('pointerdown', this.pointer, true);
    this.page.removeEventListener('keydown', this.key, true);
    this.page.removeEventListener('focusin', this.focus, true);
  }

  /** Whether what has the focus keeps the space for itself. */
  keepsSpace(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.closest(FIELDS)) return true;
    return this.byKeyboard && target.closest(PRESSED) !== null;
  }

  private pointer = () => {
    this.last = 'pointer';
    this.byKeyboard = false;
  };

  private key = (event: KeyboardEvent) => {
    if (!SILENT.has(event.key)) this.last = 'key';
  };

  private focus = () => {
    this.byKeyboard = this.last === 'key';
  };
}
