import { useTranslation } from 'react-i18next';

export function ExpedientPage() {
  const { t } = useTranslation('expedients');
  return <h1>{t('title')}</h1>;
}
