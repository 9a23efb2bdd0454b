import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadTexts, type Translate, translate } from '../i18n';
import { Around } from '../ui';
import { GuidedPictures } from './GuidedPictures';

let host: HTMLElement;
beforeEach(async () => {
  host = document.body.appendChild(document.createElement('main'));
  await loadTexts('es');
});
afterEach(() => {
  render(null, host);
  host.remove();
});

const t: Translate = (key, values) => translate('es', key, values);

function show(live: boolean, onCall: () => void): Promise<void> {
  return act(() =>
    render(
      <Around.Provider value={{ t, language: 'es', setLanguage: vi.fn(), info: null }}>
        <GuidedPictures live={live} onCall={onCall} send={vi.fn()} />
      </Around.Provider>,
      host,
    ),
  );
}

// RESCUE-3
describe('guided pictures, once media passes', () => {
  it('go back to the call by themselves while nobody has begun to take one', async () => {
    const onCall = vi.fn();
    await show(false, onCall);
    expect(onCall).not.toHaveBeenCalled();
    await show(true, onCall);
    expect(onCall).toHaveBeenCalledTimes(1);
  });

  it('stay when the connection lives and carries no media', async () => {
    const onCall = vi.fn();
    await show(true, onCall);
    expect(onCall).not.toHaveBeenCalled();
  });

  it('stay while the phone’s camera may be open, and offer the way back', async () => {
    const onCall = vi.fn();
    await show(false, onCall);
    await act(() => host.querySelector<HTMLInputElement>('input[type=file]')?.click());
    await show(true, onCall);
    expect(onCall).not.toHaveBeenCalled();
    await act(() => host.querySelector<HTMLButtonElement>('button.main')?.click());
    expect(onCall).toHaveBeenCalledTimes(1);
  });
});
