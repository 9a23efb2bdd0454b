import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { PasswordPair, usePasswordPair } from './PasswordPair';
import { guessable, loadMeter } from './strength';

let state: ReturnType<typeof usePasswordPair>;

function Form({ about = [] }: { about?: string[] }) {
  state = usePasswordPair(about);
  return <PasswordPair state={state} />;
}

const show = (about?: string[]) =>
  render(
    <Providers env="test">
      <Form about={about} />
    </Providers>,
  );
const first = () => screen.getByLabelText('Contraseña');
const second = () => screen.getByLabelText('Repita la contraseña');
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const check = async () => {
  let right = false;
  await act(async () => {
    right = await state.check();
  });
  return right;
};

const STRONG = 'marea-cobre-tejado-41';

// The estimator on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

beforeAll(async () => {
  await useTexts();
  await loadMeter();
}, 30_000);

describe('password pair', () => {
  beforeEach(() => void show(['nuria@example.es', 'Nuria', 'Ferrer']));

  it('needs both fields', async () => {
    expect(await check()).toBe(false);
    expect(screen.getByText('Escriba una contraseña')).toBeTruthy();
    expect(screen.getByText('Escriba otra vez la contraseña')).toBeTruthy();
    type(first(), STRONG);
    expect(await check()).toBe(false);
    expect(screen.queryByText('Escriba una contraseña')).toBeNull();
    expect(screen.getByText('Escriba otra vez la contraseña')).toBeTruthy();
  });

  it.each(['123456', 'contraseña', 'nuria1234', 'Ferrer2024', 'qwertyuiop', 'k7#Qz!x', 'madrid2020'])(
    'refuses the weak %s',
    async (weak) => {
      type(first(), weak);
      type(second(), weak);
      expect(await check()).toBe(false);
      screen.getByText('Utilice una contraseña segura');
    },
  );

  it('refuses two that differ, and says both things at once', async () => {
    type(first(), STRONG);
    type(second(), `${STRONG}x`);
    expect(await check()).toBe(false);
    screen.getByText('Las contraseñas no coinciden');
    expect(screen.queryByText('Utilice una contraseña segura')).toBeNull();
    type(first(), 'hola');
    expect(await check()).toBe(false);
    screen.getByText('Las contraseñas no coinciden');
    screen.getByText('Utilice una contraseña segura');
  });

  it('refuses one that is too long to be hashed', async () => {
    const long = STRONG.repeat(10);
    type(first(), long);
    type(second(), long);
    expect(await check()).toBe(false);
    screen.getByText('Máximo 200 caracteres');
  });

  it('accepts a strong one, with its word and five bars', async () => {
    type(first(), STRONG);
    type(second(), STRONG);
    expect(await check()).toBe(true);
    expect(screen.getByText(/Fuerte|Muy fuerte/)).toBeTruthy();
  });

  it('grows with what is typed', async () => {
    const word = async (password: string) => {
      type(first(), password);
      await waitFor(() => expect(state.level).not.toBeNull());
      await act(async () => {
        await new Promise((done) => setTimeout(done, 400));
      });
      return state.level ?? 0;
    };
    const levels = [];
    for (const password of ['hola', 'marea41', 'marea-tej', 'marea-cobre-te', STRONG])
      levels.push(await word(password));
    expect(levels[0]).toBe(1);
    expect(levels.at(-1)).toBe(5);
    expect([...levels].sort()).toEqual(levels);
  });

  it('checks a field when it is left, forgets the message while one types', async () => {
    type(first(), 'hola');
    fireEvent.blur(first());
    await screen.findByText('Utilice una contraseña segura');
    type(first(), 'hola-');
    expect(screen.queryByText('Utilice una contraseña segura')).toBeNull();
  });

  it("keeps the server's no until the password changes", async () => {
    type(first(), STRONG);
    type(second(), STRONG);
    act(() => state.refuse('Utilice una contraseña segura'));
    screen.getByText('Utilice una contraseña segura');
    expect(await check()).toBe(false);
    type(first(), `${STRONG}!`);
    type(second(), `${STRONG}!`);
    expect(await check()).toBe(true);
  });

  it('shows and hides each field by its own eye', () => {
    const [eye] = screen.getAllByRole('button', { name: 'Mostrar contraseña' });
    fireEvent.click(eye as HTMLElement);
    expect(first().getAttribute('type')).toBe('text');
    expect(second().getAttribute('type')).toBe('password');
  });
});

it('takes what the person typed elsewhere apart', () => {
  expect(guessable([' Nuria.Ferrer@Example.es ', null, undefined, ''])).toEqual([
    'nuria.ferrer@example.es',
    'nuria',
    'ferrer',
    'example',
    'atalaya',
  ]);
});
