/**
 * Counts attempts at media while the server answers (RESCUE-3): after two that failed, and in any case 38 s after the first
 * answer without media, pictures are asked for instead, so that they are open within 40 s.
 */
import * as api from '../api';
import type { View } from './view';

const FAILED_ENOUGH = 2;
export const PICTURES_AFTER_MS = 38_000;

export class Rescue {
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private told = false;

  constructor(private readonly noMedia: () => void) {}

  /** The server gave the right to enter. */
  answered(): void {
    if (!this.told) this.timer ??= setTimeout(() => this.tell(), PICTURES_AFTER_MS);
  }

  /** An attempt at media came to nothing although the server had answered. */
  failed(): void {
    this.failures += 1;
    if (this.failures >= FAILED_ENOUGH) this.tell();
  }

  /** Media passes: what failed before no longer counts. */
  passes(): void {
    this.stop();
    this.failures = 0;
    this.told = false;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private tell(): void {
    this.stop();
    if (this.told) return;
    this.told = true;
    this.noMedia();
  }
}

/** Pictures in place of the call; the adjuster reads why. */
export function turnToPictures(
  { hash, clientKey }: { hash: string; clientKey: string },
  show: (change: Partial<View>) => void,
): void {
  show({ pictures: true });
  void api.track(hash, clientKey, 'PERMISSION_DENIED', { permission: 'camera', reason: 'CONNECTION_FAILED' });
}
