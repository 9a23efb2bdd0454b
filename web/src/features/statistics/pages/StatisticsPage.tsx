import { useTranslation } from 'react-i18next';

export function StatisticsPage() {
  const { t } = useTranslation('statistics');
  return <h1>{t('title')}</h1>;
}
