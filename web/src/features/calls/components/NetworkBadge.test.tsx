import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { it } from 'vitest';
import { renderPage } from '@/test/render';
import { NetworkBadge } from './NetworkBadge';

// CALL-63
it('says how the media of each side come and what fails', async () => {
  const theirs = { way: 'relay-tls', failed: ['udp', 'tcp', 'camera'] } as const;
  const mine = { way: 'udp', failed: [] } as const;
  await renderPage(<NetworkBadge verdict={null} client="Carmen" frozen={false} connection={{ mine, theirs }} />);
  await userEvent.click(screen.getByRole('button', { name: /Calidad de red/ }));
  await screen.findByText('Por relé (TLS) · Falla: UDP no pasa, TCP no pasa, cámara');
  screen.getByText('Directa (UDP)');
});
