import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// What Mantine asks of a browser and happy-dom lacks.
if (!window.matchMedia('(min-width: 1px)').addEventListener) {
  window.matchMedia = vi
    .fn()
    .mockReturnValue({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() });
}
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView ??= () => {};

// A busy machine draws late; nothing waits longer than it has to.
configure({ asyncUtilTimeout: 15_000 });

afterEach(() => {
  cleanup();
  window.localStorage.clear();
});

// happy-dom has no font loading; Mantine's growing text areas listen to it.
if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
