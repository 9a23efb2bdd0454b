import { useTranslation } from 'react-i18next';

export function VerifyPage() {
  const { t } = useTranslation('verify');
  return <h1>{t('title')}</h1>;
}
