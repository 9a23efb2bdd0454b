import { Tooltip } from '@mantine/core';
import type { MessageState } from '@/api/types';
import { useT } from '@/shared/i18n';
import type { IconName } from './Icon';
import { Tag } from './Tag';

/** How a message's state is shown: always a word with an icon, never colour alone. */
const LOOKS: Record<MessageState, { tone: 'ok' | 'warn' | 'bad'; icon: IconName }> = {
  queued: { tone: 'warn', icon: 'clock' },
  captured: { tone: 'warn', icon: 'pause' },
  sent: { tone: 'ok', icon: 'send' },
  delivered: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'x' },
};

/** Where a message stands; the certificate calls a message that no gateway took the same. */
export function MessageStateTag({ state }: { state: MessageState }) {
  const t = useT();
  const { tone, icon } = LOOKS[state];
  const tag = (
    <Tag tone={tone} icon={icon}>
      {t(`outbox.st_${state}`)}
    </Tag>
  );
  if (state !== 'captured') return tag;
  return (
    <Tooltip label={t('outbox.tipCaptured')} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <span>{tag}</span>
    </Tooltip>
  );
}
