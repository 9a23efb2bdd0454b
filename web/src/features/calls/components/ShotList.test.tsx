import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { ConferenceShot } from '@/api/types';
import type { Still } from '@/rtc';
import { item } from '@/test/conference';
import { answerCalls, renderPage, seriousFindings } from '@/test/render';
import { useShots } from '../hooks/use-shots';
import { PhotosTab } from './PhotosTab';

const shot = (key: string, label: string): ConferenceShot => ({
  key,
  label,
  hint: 'De frente',
  overlay: null,
  state: 'missing',
  mediaId: null,
  at: null,
});

/** A server that keeps the ticks. */
function server() {
  let shots = [shot('plate', 'Matrícula'), shot('vin', 'Bastidor'), shot('near', 'Daño de cerca')];
  return answerCalls((method, path, body) => {
    if (!path.endsWith('/conference-shots/conf1')) return undefined;
    const tick = body as Partial<ConferenceShot>;
    if (method === 'PUT') {
      shots = shots.map((one) =>
        one.key === tick.key
          ? {
              ...one,
              state: tick.state ?? 'missing',
              mediaId: tick.state === 'missing' ? null : (tick.mediaId ?? null),
            }
          : one,
      );
    }
    return { body: { shots } };
  });
}

const still = (id: string, changes: Partial<Still> = {}): Still => ({
  id,
  from: 'client:1',
  at: 0,
  state: 'asked',
  percent: 0,
  mediaId: null,
  reason: null,
  ...changes,
});

/** The tab with a button that asks for a picture and others that let it arrive or fail. */
function Room() {
  const [stills, setStills] = useState<Still[]>([]);
  const shots = useShots('conf1', stills);
  const set = (changes: Partial<Still>) => setStills((before) => before.map((one) => ({ ...one, ...changes })));
  return (
    <>
      <button
        type="button"
        onClick={() => {
          const id = `s${stills.length}`;
          setStills([...stills, still(id)]);
          shots.asked(id);
        }}
      >
        ask
      </button>
      <button type="button" onClick={() => set({ state: 'done', mediaId: 'm1' })}>
        arrive
      </button>
      <button type="button" onClick={() => set({ state: 'failed', reason: 'CAMERA_OFF' })}>
        fail
      </button>
      <PhotosTab pictures={[item('m1'), item('m2')]} shots={shots} onOpen={() => {}} />
    </>
  );
}

const entry = (name: RegExp) => screen.findByRole('button', { name });
const press = async (name: RegExp | string) => userEvent.click(await screen.findByRole('button', { name }));
const ticks = (asked: ReturnType<typeof answerCalls>) =>
  asked.filter(({ method }) => method === 'PUT').map(({ body }) => body);

it('ties a picture to the shot that was next when it was asked for, and leads on', async () => {
  const asked = server();
  await renderPage(<Room />);
  expect((await entry(/^Matrícula falta/)).getAttribute('aria-pressed')).toBe('true');
  expect(await seriousFindings()).toEqual([]);
  await press('ask');
  expect((await entry(/^Matrícula llegando/)).getAttribute('aria-pressed')).toBe('false');
  expect((await entry(/^Bastidor falta/)).getAttribute('aria-pressed')).toBe('true');
  // Another choice meanwhile changes nothing about the picture on its way.
  await press(/^Daño de cerca falta/);
  await press('arrive');
  await entry(/^Matrícula hecha/);
  expect(ticks(asked)).toEqual([{ key: 'plate', state: 'done', mediaId: 'm1' }]);
  expect((await entry(/^Daño de cerca falta/)).getAttribute('aria-pressed')).toBe('true');
});

it('leaves a shot missing when its picture fails', async () => {
  const asked = server();
  await renderPage(<Room />);
  await press(/^Bastidor falta/);
  await press('ask');
  await entry(/^Bastidor llegando/);
  await press('fail');
  await entry(/^Bastidor falta/);
  expect(ticks(asked)).toEqual([]);
});

it('takes pictures outside the list, and is told afterwards what they show', async () => {
  const asked = server();
  await renderPage(<Room />);
  await press(/^Foto fuera de la lista/);
  await press('ask');
  await press('arrive');
  expect(ticks(asked)).toEqual([]);
  await press('Decir qué muestra la foto 2');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Bastidor' }));
  await entry(/^Bastidor hecha/);
  await press('Opciones de «Bastidor»');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Hay que repetirla' }));
  await entry(/^Bastidor repetir/);
  await press('Opciones de «Bastidor»');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'No es esta foto' }));
  await waitFor(() => expect(ticks(asked)).toHaveLength(3));
  expect(ticks(asked)).toEqual([
    { key: 'vin', state: 'done', mediaId: 'm2' },
    { key: 'vin', state: 'poor', mediaId: 'm2' },
    { key: 'vin', state: 'missing' },
  ]);
});
