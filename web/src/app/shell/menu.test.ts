import { describe, expect, it } from 'vitest';
import { byGroup, isActive, shownMenu } from './menu';

describe('menu', () => {
  it('shows only pages that exist, in their groups', () => {
    const shown = shownMenu([
      { name: 'shell.messageService', url: '/message-service', icon: 'message' },
      { name: 'shell.invoices', url: '/invoices/1' },
      { name: 'shell.newVideocall', url: '/vp-form' },
      { name: 'shell.conferences', url: '', submenu: [{ name: 'videocall.type1', url: '/conferences-autos/1' }] },
    ]);
    expect(byGroup(shown).map(([group, entries]) => [group, entries.map((entry) => entry.url)])).toEqual([
      ['work', ['/vp-form']],
      ['administration', ['/message-service']],
    ]);
  });

  it('marks the call form while in the room and its media', () => {
    expect(isActive('/vp-form', '/conference/1')).toBe(true);
    expect(isActive('/vp-form', '/conference-media/1')).toBe(true);
    expect(isActive('/vp-form', '/message-service')).toBe(false);
    expect(isActive('/message-service', '/message-service')).toBe(true);
  });
});
