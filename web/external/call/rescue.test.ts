import { beforeEach, expect, it, vi } from 'vitest';
import { PICTURES_AFTER_MS, Rescue } from './rescue';

beforeEach(() => {
  vi.useFakeTimers();
});

// RESCUE-3
it('asks for pictures after two attempts that failed, once', () => {
  const noMedia = vi.fn();
  const rescue = new Rescue(noMedia);
  rescue.answered();
  rescue.failed();
  expect(noMedia).not.toHaveBeenCalled();
  rescue.answered();
  rescue.failed();
  rescue.failed();
  vi.advanceTimersByTime(PICTURES_AFTER_MS);
  expect(noMedia).toHaveBeenCalledTimes(1);
});

// RESCUE-3
it('asks for them within 40 s of the first answer, however long an attempt takes', () => {
  const noMedia = vi.fn();
  const rescue = new Rescue(noMedia);
  rescue.answered();
  vi.advanceTimersByTime(20_000);
  rescue.failed();
  rescue.answered();
  vi.advanceTimersByTime(PICTURES_AFTER_MS - 20_001);
  expect(noMedia).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(noMedia).toHaveBeenCalledTimes(1);
  expect(PICTURES_AFTER_MS).toBeLessThan(40_000);
});

// RESCUE-3
it('begins anew once media has passed, and asks for nothing after the call', () => {
  const noMedia = vi.fn();
  const rescue = new Rescue(noMedia);
  rescue.answered();
  rescue.failed();
  rescue.passes();
  rescue.failed();
  vi.advanceTimersByTime(PICTURES_AFTER_MS);
  expect(noMedia).not.toHaveBeenCalled();
  rescue.answered();
  rescue.stop();
  vi.advanceTimersByTime(PICTURES_AFTER_MS);
  expect(noMedia).not.toHaveBeenCalled();
});
