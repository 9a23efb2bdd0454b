import { useT } from '@/shared/i18n';
import { Tag } from '@/shared/ui/Tag';
import type { FiscalRequest } from '../types';

const LOOK = {
  open: { tone: 'warn', icon: 'clock' },
  approved: { tone: 'ok', icon: 'check' },
  refused: { tone: 'bad', icon: 'x' },
  withdrawn: { tone: 'quiet', icon: 'undo' },
} as const;

/** Where a request stands, in a word. One without its document waits for the company. */
export function RequestTag({ request }: { request: Pick<FiscalRequest, 'status' | 'document'> }) {
  const t = useT();
  const { status, document } = request;
  return (
    <Tag {...LOOK[status]}>
      {t(status === 'open' && !document ? 'fiscal.needsDocument' : `fiscal.status_${status}`)}
    </Tag>
  );
}
