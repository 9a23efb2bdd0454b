import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { downloadCii, downloadFacturae, downloadPdf, downloadUbl, openPdf } from './api';
import type { Invoice } from './types';

export type InvoiceFile = 'open' | 'pdf' | 'facturae' | 'ubl' | 'cii';

const FILES = { open: openPdf, pdf: downloadPdf, facturae: downloadFacturae, ubl: downloadUbl, cii: downloadCii };

/** The files of an invoice; a failure is said and offers another try. */
export function useInvoiceFiles(invoice: Invoice) {
  const t = useT();
  const [running, setRunning] = useState<InvoiceFile | null>(null);
  const run = async (file: InvoiceFile): Promise<void> => {
    setRunning(file);
    try {
      await FILES[file](invoice);
    } catch (error) {
      const title = file === 'open' ? t('invoices.printFailed') : t('invoices.downloadFailed');
      const again = { label: t('common.retry'), run: () => void run(file) };
      toast.error({ title, text: errorText(t, error), action: again });
    } finally {
      setRunning(null);
    }
  };
  return { running, run: (file: InvoiceFile) => void run(file) };
}
