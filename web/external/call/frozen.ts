/**
 * A frozen call: both sides look at one picture, and see what the adjuster draws on it (DRAW-2). The server says what is
 * frozen and drawn; the code that shows it is loaded when it is needed first.
 */
import * as api from '../api';
import type { View } from './view';

type Shown = NonNullable<View['frozen']>;

export class Frozen {
  private asked = 0;
  private shown: Shown | null = null;
  /** The picture that was last asked for, under way or shown. */
  private opened: { mediaId: string; made: Promise<Shown> } | null = null;

  constructor(
    private readonly hash: string,
    private readonly clientKey: string,
    private readonly show: (change: Partial<View>) => void,
  ) {}

  /** Asks what is frozen now. Of several questions the last one counts. */
  async refresh(): Promise<void> {
    this.asked += 1;
    const mine = this.asked;
    try {
      const { frozen } = await api.getFrozen(this.hash, this.clientKey);
      if (mine !== this.asked) return;
      if (!frozen) this.opened = null;
      else if (this.opened?.mediaId !== frozen.mediaId) {
        this.opened = { mediaId: frozen.mediaId, made: this.open(frozen.mediaId) };
      }
      const next = (await this.opened?.made) ?? null;
      if (mine !== this.asked) return;
      if (frozen) next?.board.load(frozen.revision, frozen.marks);
      if (next === this.shown) return;
      this.shown?.board.dispose();
      this.shown = next;
      this.show({ frozen: next });
    } catch {
      // Without an answer what is shown stays; the next message or connection asks again.
      if (!this.shown) this.opened = null;
    }
  }

  /** Somebody of ours draws. */
  drawn(payload: Uint8Array, from: string | undefined): void {
    this.shown?.board.take(payload, from);
  }

  private async open(mediaId: string): Promise<Shown> {
    const { FrozenPicture, load } = await import('./FrozenPicture');
    return { board: await load(this.hash, this.clientKey, mediaId), Picture: FrozenPicture };
  }
}
