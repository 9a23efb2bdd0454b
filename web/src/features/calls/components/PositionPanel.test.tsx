import { screen } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import type { PermissionState } from '@/api/types';
import { renderPage } from '@/test/render';
import { useTexts } from '@/test/texts';
import { PositionPanel } from './PositionPanel';
import { StageMessage } from './StageMessage';

beforeAll(() => useTexts());

// EVID-31
it.each<[PermissionState, string]>([
  ['pending', 'Carmen todavía no ha compartido su ubicación.'],
  ['unanswered', 'Carmen tiene abierta la pregunta de la ubicación.'],
  ['skipped', 'Carmen no ha permitido la ubicación.'],
  ['denied', 'Carmen no ha permitido la ubicación.'],
])('says why there is no position: %s', async (permission, words) => {
  await renderPage(
    <PositionPanel positions={[]} meaning={null} client="Carmen" permission={permission} onClose={vi.fn()} />,
  );
  expect(screen.getByText(words)).toBeTruthy();
});

// PLACE-6
it('writes the position as everywhere, and copies what it shows', async () => {
  const position = { at: '2026-11-19T10:48:32Z', latitude: 39.680124, longitude: -0.278413, accuracy: 8 };
  await renderPage(
    <PositionPanel positions={[position]} meaning={null} client="Carmen" permission="granted" onClose={vi.fn()} />,
  );
  expect(screen.getByText('39.68012, -0.27841')).toBeTruthy();
});

// EVID-31
it('says on the stage that a question is open, whatever can be heard', async () => {
  const state = { kind: 'noPicture', reason: 'PERMISSION_NO_ANSWER', hearing: 'none' } as const;
  await renderPage(<StageMessage {...({ state, client: 'Carmen' } as React.ComponentProps<typeof StageMessage>)} />);
  expect(screen.getByText('Carmen tiene una pregunta de permisos abierta')).toBeTruthy();
});
