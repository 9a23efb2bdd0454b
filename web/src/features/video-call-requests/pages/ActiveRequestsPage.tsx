import { useT } from '@/shared/i18n';

export function ActiveRequestsPage() {
  const t = useT();
  return <h1>{t('requests.activeTitle')}</h1>;
}
