// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { isWithoutDevices, withDevices } from './device-policy';

const governed = (...allowed: string[]) =>
  Object.assign(document.implementation.createHTMLDocument(''), {
    featurePolicy: { allowsFeature: (name: string) => allowed.includes(name) },
  });

// EDGE-12
it('knows a document that has no devices', () => {
  expect(isWithoutDevices(governed('camera', 'microphone'))).toBe(false);
  expect(isWithoutDevices(governed('camera'))).toBe(true);
  expect(isWithoutDevices(document.implementation.createHTMLDocument(''))).toBe(false);
});

// EDGE-12
it('loads a call page anew where the document has none, once', async () => {
  const load = vi.fn();
  await withDevices('/vp-form', governed('camera', 'microphone'), load, 'https://x.example/customers');
  await withDevices('/vp-form', governed(), load, 'https://x.example/vp-form?x=1');
  expect(load).not.toHaveBeenCalled();
  const waits = withDevices('/conference/1', governed(), load, 'https://x.example/conferences');
  expect(load).toHaveBeenCalledWith('/conference/1');
  expect(await Promise.race([waits.then(() => 'went on'), Promise.resolve('waits')])).toBe('waits');
});
