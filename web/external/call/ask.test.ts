import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refused } from '../devices';
import { SLOW_AFTER } from '../effects';
import { askInCall } from './ask';

// EVID-31
describe('a device that is turned on in the call', () => {
  const told: string[] = [];
  const ask = (open: () => Promise<string>) =>
    askInCall('camera', open, (type, { permission, reason }) => told.push([type, permission, reason].join(' ').trim()));
  beforeEach(() => {
    told.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it('is reported when it is there, and nothing else when that was quick', async () => {
    await expect(ask(() => Promise.resolve('track'))).resolves.toBe('track');
    await vi.advanceTimersByTimeAsync(SLOW_AFTER);
    expect(told).toEqual(['PERMISSION_GRANTED camera']);
  });

  it('leaves a question that the adjuster reads of while it is open', async () => {
    const late = ask(() => new Promise((resolve) => setTimeout(() => resolve('track'), SLOW_AFTER * 2)));
    await vi.advanceTimersByTimeAsync(SLOW_AFTER);
    expect(told).toEqual(['PERMISSION_DENIED camera PERMISSION_NO_ANSWER']);
    await vi.advanceTimersByTimeAsync(SLOW_AFTER);
    await late;
    expect(told.at(-1)).toBe('PERMISSION_GRANTED camera');
  });

  it('is reported with its reason when it is refused', async () => {
    await expect(ask(() => Promise.reject(new Refused('blocked')))).rejects.toThrow();
    await expect(ask(() => Promise.reject(new Refused('busy')))).rejects.toThrow();
    expect(told).toEqual(['PERMISSION_DENIED camera CAMERA_DENIED', 'PERMISSION_DENIED camera CAMERA_IN_USE']);
  });
});
