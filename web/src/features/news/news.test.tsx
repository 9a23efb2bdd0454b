import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { i18n } from '@/shared/i18n';
import { Providers } from '@/test/providers';
import { bundle, useTexts } from '@/test/texts';
import { NewsDialog } from './components/NewsDialog';
import { NewsModal } from './components/NewsModal';
import { closeNews, openNews } from './news';
import { filmOf, pictureOf, SLIDES } from './slides';

beforeAll(() => useTexts());
afterEach(() => {
  vi.useRealTimers();
  act(closeNews);
});

const title = (at: number) => i18n.t(`news.${SLIDES[at]?.name}Title` as never) as string;
const button = (name: string) => screen.getByRole('button', { name });
const shown = (at: number) => screen.findByRole('heading', { name: title(at) });

describe('the slides', () => {
  it('are eleven, each with its texts in both languages and a picture for each scheme', () => {
    expect(SLIDES).toHaveLength(11);
    for (const language of ['es', 'en']) {
      const { news = {} } = bundle(language);
      for (const { name, footer } of SLIDES) {
        const parts = ['Title', 'Text', 'Alt', ...(footer ? ['Footer'] : [])];
        for (const part of parts) expect(news[`${name}${part}`], `${language} ${name}${part}`).toBeTruthy();
        expect(news[`${name}Footer`] === undefined, `footer of ${name}`).toBe(!footer);
      }
    }
    for (const slide of SLIDES) {
      for (const scheme of ['dark', 'light'] as const) {
        expect(pictureOf(slide, scheme), `${slide.name}-${scheme}`).toBeTruthy();
        expect(existsSync(resolve(import.meta.dirname, `pictures/${slide.name}-${scheme}.webp`))).toBe(true);
      }
    }
    expect(SLIDES.some((slide) => filmOf(slide, 'dark') && filmOf(slide, 'light'))).toBe(true);
  });
});

describe('the dialog', () => {
  const onClose = vi.fn();
  beforeEach(() => {
    onClose.mockClear();
    render(
      <Providers env="test">
        <NewsDialog opened onClose={onClose} />
      </Providers>,
    );
  });

  it('goes forth and back, and only the last slide has the close button', async () => {
    await shown(0);
    expect(button('Anterior')).toHaveProperty('disabled', true);
    for (let at = 1; at < SLIDES.length; at += 1) {
      // The cross is called the same; it is in the header.
      expect(screen.getAllByRole('button', { name: 'Cerrar' })).toHaveLength(1);
      fireEvent.click(button('Siguiente'));
      await shown(at);
      expect(screen.getByText(`${at + 1} de 11`)).toBeTruthy();
    }
    expect(screen.queryByRole('button', { name: 'Siguiente' })).toBeNull();
    const close = screen.getAllByRole('button', { name: 'Cerrar' });
    expect(close).toHaveLength(2);
    fireEvent.click(button('Anterior'));
    await shown(SLIDES.length - 2);
    fireEvent.click(button('Siguiente'));
    await shown(SLIDES.length - 1);
    fireEvent.click(screen.getAllByRole('button', { name: 'Cerrar' })[1] as HTMLElement);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('follows the arrow keys and stops at both ends', async () => {
    const dialog = await screen.findByRole('dialog');
    fireEvent.keyDown(dialog, { key: 'ArrowLeft' });
    await shown(0);
    fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    await shown(1);
    fireEvent.keyDown(dialog, { key: 'ArrowRight', altKey: true });
    await shown(1);
    for (let times = 0; times < 20; times += 1) fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    await shown(10);
  });

  it('closes by the cross at any time, and a click beside it does nothing', async () => {
    const dialog = await screen.findByRole('dialog');
    const backdrop = document.querySelector('.mantine-Modal-overlay');
    if (backdrop) fireEvent.click(backdrop);
    fireEvent.mouseDown(document.querySelector('.mantine-Modal-inner') ?? document.body);
    fireEvent.click(document.querySelector('.mantine-Modal-inner') ?? document.body);
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cerrar' }));
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('opening', () => {
  const open = () =>
    render(
      <Providers env="test">
        <NewsModal />
      </Providers>,
    );
  const dialog = () => screen.queryByRole('dialog');

  it('happens by itself 2000 ms after the first visit, and never again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const first = open();
    act(() => void vi.advanceTimersByTime(1990));
    expect(localStorage.getItem('hasSeenNewFeautures')).toBeNull();
    act(() => void vi.advanceTimersByTime(20));
    await waitFor(() => expect(dialog()).not.toBeNull());
    expect(localStorage.getItem('hasSeenNewFeautures')).toBe('true');
    expect(localStorage.getItem('clickedOnNews')).toBeNull();
    first.unmount();
    open();
    act(() => void vi.advanceTimersByTime(5000));
    expect(dialog()).toBeNull();
  });

  it.each(['hasSeenNewFeautures', 'clickedOnNews'])('does not happen by itself when %s is there', (key) => {
    vi.useFakeTimers();
    localStorage.setItem(key, 'true');
    open();
    act(() => void vi.advanceTimersByTime(5000));
    expect(dialog()).toBeNull();
  });

  it('by the entry is remembered as both', async () => {
    open();
    act(() => openNews(true));
    await screen.findByRole('dialog');
    expect(localStorage.getItem('hasSeenNewFeautures')).toBe('true');
    expect(localStorage.getItem('clickedOnNews')).toBe('true');
  });
});
