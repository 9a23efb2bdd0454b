import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FocusOrigin } from './keyboard';

let origin: FocusOrigin;
beforeEach(() => {
  document.body.innerHTML =
    '<button id="dock">Micro</button><input id="field"><div role="dialog"><button id="ok">Sí</button></div>';
  origin = new FocusOrigin(document);
});
afterEach(() => origin.dispose());

const at = (id: string) => document.getElementById(id) as HTMLElement;
const byMouse = (id: string) => {
  fireEvent.pointerDown(at(id));
  fireEvent.focusIn(at(id));
};
const byTab = (id: string) => {
  fireEvent.keyDown(document.body, { key: 'Tab' });
  fireEvent.focusIn(at(id));
};

// CALL-44
it('a clicked button does not keep the space bar, one that the keyboard reached does', () => {
  byMouse('dock');
  expect(origin.keepsSpace(at('dock'))).toBe(false);
  fireEvent.keyDown(at('dock'), { key: ' ' });
  expect(origin.keepsSpace(at('dock'))).toBe(false);
  byTab('dock');
  expect(origin.keepsSpace(at('dock'))).toBe(true);
  byMouse('dock');
  expect(origin.keepsSpace(at('dock'))).toBe(false);
});

// CALL-44
it('fields and dialogs always keep it', () => {
  byMouse('field');
  expect(origin.keepsSpace(at('field'))).toBe(true);
  byMouse('ok');
  expect(origin.keepsSpace(at('ok'))).toBe(true);
  expect(origin.keepsSpace(document.body)).toBe(false);
});
