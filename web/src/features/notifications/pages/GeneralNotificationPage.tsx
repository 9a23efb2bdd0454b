import { useT } from '@/shared/i18n';

export function GeneralNotificationPage() {
  const t = useT();
  return <h1>{t('notifications.generalTitle')}</h1>;
}
