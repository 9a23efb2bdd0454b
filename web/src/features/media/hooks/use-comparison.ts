import { useState } from 'react';

/** Two pictures side by side: whether, and which is the second. */
export interface Comparison {
  on: boolean;
  second: string | null;
  choose: (id: string) => void;
  toggle: () => void;
  leave: () => void;
}

export function useComparison(): Comparison {
  const [on, setOn] = useState(false);
  const [second, setSecond] = useState<string | null>(null);
  const set = (next: boolean) => {
    setOn(next);
    setSecond(null);
  };
  return { on, second, choose: setSecond, toggle: () => set(!on), leave: () => set(false) };
}
