import { useTranslation } from 'react-i18next';

export function ShotsPage() {
  const { t } = useTranslation('shots');
  return <h1>{t('title')}</h1>;
}
