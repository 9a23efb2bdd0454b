import { useTranslation } from 'react-i18next';

export function PrivacyPage() {
  const { t } = useTranslation('privacy');
  return <h1>{t('title')}</h1>;
}
