import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { logIn, renderPage } from '@/test/render';
import { useTexts } from '@/test/texts';
import { vectors } from '@/test/vectors';
import { Chat } from './Chat';

beforeAll(() => useTexts());
beforeEach(() => logIn());

// CHAT-3
it('offers the ready phrases that the server and the client’s page know, each by its name', async () => {
  const onSend = vi.fn(async () => true);
  await renderPage(<Chat messages={[]} me="user:1" client="Carmen" disabled={false} sending={false} onSend={onSend} />);
  const quick = screen.getAllByRole('button').filter(({ textContent }) => textContent);
  for (const button of quick) await userEvent.click(button);
  await waitFor(() => expect(onSend).toHaveBeenCalledTimes(quick.length));
  const said = onSend.mock.calls.map(([words]: unknown[]) => words as { text: string; phrase?: string });
  expect(said.map(({ phrase }) => phrase)).toEqual(vectors<string[]>('chat_phrases'));
  expect(said.map(({ text }) => text)).toEqual(quick.map(({ textContent }) => textContent));
});
