import { Button } from '@mantine/core';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import { toast } from '../toast';

/** Saves the list as a workbook; a failure stays and offers another try. */
export function ExportButton({ onExport }: { onExport: () => Promise<void> }) {
  const t = useT();
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      await onExport();
    } catch (error) {
      const again = { label: t('common.retry'), run: () => void run() };
      toast.error({ title: t('common.exportFailed'), text: errorText(t, error), action: again });
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button variant="default" loading={running} leftSection={<Icon name="dl" size={16} />} onClick={() => void run()}>
      {t('common.exportExcel')}
    </Button>
  );
}
