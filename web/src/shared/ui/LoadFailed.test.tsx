import { fireEvent, screen } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { renderPage } from '@/test/render';
import { useTexts } from '@/test/texts';
import { LoadFailed } from './LoadFailed';

beforeAll(() => useTexts());

it('says what could not be loaded and why, and offers another try', async () => {
  const retry = vi.fn();
  await renderPage(
    <LoadFailed
      title="Error al cargar"
      error={new ApiError({ code: 'NETWORK', status: 0, message: '' })}
      onRetry={retry}
    />,
  );
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toMatch(/^Error al cargar.{10,}Reintentar$/);
  fireEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
  expect(retry).toHaveBeenCalledOnce();
});
