import { useEffect, useRef } from 'react';
import { keepsKeys } from '../keyboard';
import type { Drawing, Tool } from './use-drawing';
import type { FrozenCall } from './use-frozen';

/** The keys of the tools while one is in hand. */
export const TOOL_KEYS: Record<string, Tool> = { d: 'pen', a: 'arrow', e: 'ellipse', t: 'text', n: 'number' };

/** Keys of freezing and drawing (`?` lists them): they rest where somebody types and in dialogs. */
export function useDrawingKeys(drawing: Drawing, frozen: FrozenCall, canFreeze: boolean, begin: () => void): void {
  const now = useRef({ drawing, frozen, canFreeze, begin });
  now.current = { drawing, frozen, canFreeze, begin };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented || event.repeat || keepsKeys(event)) return;
      if (press(event, now.current)) event.preventDefault();
    };
    // Before the keys of the picture, which share Escape.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
}

interface Now {
  drawing: Drawing;
  frozen: FrozenCall;
  canFreeze: boolean;
  begin: () => void;
}

function press(event: KeyboardEvent, { drawing, frozen, canFreeze, begin }: Now): boolean {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const inHand = drawing.tool !== null;
  if (event.ctrlKey || event.metaKey) {
    if (!inHand || (key !== 'z' && key !== 'y')) return false;
    if (key === 'y' || event.shiftKey) drawing.redo();
    else drawing.undo();
    return true;
  }
  if (key === 'f' && frozen.item) frozen.unfreeze();
  else if (key === 'f' && canFreeze && !frozen.busy) frozen.freeze();
  else if (key === 'd' && !inHand && (drawing.ready || canFreeze)) begin();
  else if (!inHand) return false;
  else if (key === 'Escape') drawing.choose(null);
  else if (key === 'c') drawing.nextTone();
  else if (TOOL_KEYS[key]) drawing.choose(TOOL_KEYS[key]);
  else return false;
  return true;
}
