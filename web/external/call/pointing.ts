/** Pointing at the own picture from both sides: what others show us goes to the screen, what we touch goes to them. */
import type { Pointed } from '../../src/rtc/pointing/channel';
import type { LivePicture } from '../../src/rtc/pointing/live-picture';
import type { Spot } from '../../src/rtc/pointing/place';

export class Pointing {
  /** While the own picture is on the screen. */
  picture: LivePicture | null = null;
  private readonly names = new Map<string, string>();
  private explained = false;

  /** `explain` says once that touching the picture answers. */
  constructor(
    readonly send: (spot: Spot) => void,
    private readonly explain: (who: string) => void,
  ) {}

  take(pointed: Pointed): void {
    if (!this.picture) return;
    const name = pointed.name.split(' ')[0] ?? '';
    this.names.set(pointed.from, name);
    this.picture.take(pointed.from, pointed);
    if (this.explained || !name) return;
    this.explained = true;
    this.explain(name);
  }

  nameOf = (from: string): string => this.names.get(from) ?? '';
}
