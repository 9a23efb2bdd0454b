import type { ComponentType } from 'react';
import type { ShownItem } from '@/shared/lib/media-names';

export interface PreviewProps {
  items: ShownItem[];
  /** The file to show; null = closed. */
  openId: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** Shows one file over the whole window; `app` brings it. */
export type Preview = ComponentType<PreviewProps>;
