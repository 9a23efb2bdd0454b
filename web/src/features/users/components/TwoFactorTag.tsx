import { useT } from '@/shared/i18n';
import { Tag } from '@/shared/ui/Tag';

/** Whether an account has a second factor. */
export function TwoFactorTag({ on }: { on: boolean }) {
  const t = useT();
  return (
    <Tag tone={on ? 'ok' : 'quiet'} icon={on ? 'key' : 'minus'}>
      {on ? t('users.twoFactorOn') : t('users.twoFactorOff')}
    </Tag>
  );
}
