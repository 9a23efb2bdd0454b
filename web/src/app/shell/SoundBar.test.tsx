import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Providers } from '@/app/providers';
import { probeSound } from '@/shared/lib/sounds';
import { useTexts } from '@/test/texts';
import { SoundBar } from './SoundBar';

let audio: Audio;
/** A browser that wants a gesture first, and takes the first one that comes after `allowed`. */
class Audio extends EventTarget {
  state = 'suspended';
  allowed = false;
  constructor() {
    super();
    audio = this;
  }
  resume = async () => {
    if (!this.allowed) return;
    this.state = 'running';
    this.dispatchEvent(new Event('statechange'));
  };
  /** Such as a phone call that interrupts. */
  interrupt() {
    this.state = 'interrupted';
    this.allowed = false;
    this.dispatchEvent(new Event('statechange'));
  }
}

beforeAll(() => {
  vi.stubGlobal('AudioContext', Audio);
  return useTexts();
});
beforeEach(() => {
  window.sessionStorage.clear();
  probeSound();
  audio.interrupt();
});

const show = () =>
  render(
    <Providers env="test">
      <SoundBar />
    </Providers>,
  );
const button = () => screen.queryByRole('button', { name: 'Activar sonido' });

it('asks for the gesture while the browser blocks sound, and leaves with it', async () => {
  show();
  await screen.findByText('El navegador ha bloqueado el sonido de la alarma.');
  audio.allowed = true;
  fireEvent.click(button() as HTMLElement);
  await waitFor(() => expect(button()).toBeNull());
});

it('takes any other gesture as well', async () => {
  show();
  await waitFor(() => expect(button()).not.toBeNull());
  audio.allowed = true;
  fireEvent.keyDown(document.body, { key: 'Tab' });
  await waitFor(() => expect(button()).toBeNull());
});

it('stays away once dismissed', async () => {
  const { unmount } = show();
  fireEvent.click(await screen.findByRole('button', { name: 'Descartar' }));
  expect(button()).toBeNull();
  unmount();
  show();
  expect(button()).toBeNull();
});
