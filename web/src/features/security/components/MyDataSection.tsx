import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText, useT } from '@/shared/i18n';
import { Section } from '@/shared/ui/Section';
import { toast } from '@/shared/ui/toast';
import { downloadMyData } from '../api';

/** What is kept of this account, as a file; the call asks for a fresh proof of identity. */
export function MyDataSection() {
  const t = useT();
  const taking = useMutation({
    mutationFn: downloadMyData,
    onError: (error) => toast.error({ title: t('security.myDataFailed'), text: errorText(t, error) }),
  });
  return (
    <Section
      id="security-my-data"
      title={t('security.myData')}
      text={t('security.myDataText')}
      action={
        <Button variant="default" loading={taking.isPending} onClick={() => taking.mutate()}>
          {t('security.myDataGo')}
        </Button>
      }
    />
  );
}
