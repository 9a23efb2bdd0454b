import { Button } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { useInstall } from '../install';

/** The app in a window of its own, where the browser offers it. */
export function InstallApp() {
  const t = useT();
  const install = useInstall();
  if (!install) return null;
  return (
    <Note
      icon="dl"
      title={t('push.install')}
      text={t('push.installText')}
      action={
        <Button variant="default" size="xs" leftSection={<Icon name="plus" size={16} />} onClick={() => void install()}>
          {t('push.install')}
        </Button>
      }
    />
  );
}
