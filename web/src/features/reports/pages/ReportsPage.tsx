import { useTranslation } from 'react-i18next';

export function ReportsPage() {
  const { t } = useTranslation('reports');
  return <h1>{t('title')}</h1>;
}
