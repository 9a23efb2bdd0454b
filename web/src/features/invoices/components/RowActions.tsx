import { Button } from '@mantine/core';
import { useLanguage, useT } from '@/shared/i18n';
import { IconAction } from '@/shared/ui/IconAction';
import type { Invoice } from '../types';
import { useInvoiceFiles } from '../use-files';
import { showReturnReason } from './ReturnReason';

/** Why it came back, and the invoice as it was issued. */
export function RowActions({ invoice, advice, narrow }: { invoice: Invoice; advice: boolean; narrow: boolean }) {
  const t = useT();
  const language = useLanguage();
  const files = useInvoiceFiles(invoice);
  const { number } = invoice;
  return (
    <>
      {!narrow && invoice.status === 'returned' && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('invoices.reasonOf', { number })}
          onClick={() => showReturnReason(t, language, invoice, advice)}
        >
          {t('invoices.reason')}
        </Button>
      )}
      <IconAction
        icon="doc"
        size={narrow ? 36 : 28}
        label={t('invoices.printOf', { number })}
        loading={files.running === 'open'}
        disabled={invoice.status === 'draft'}
        onClick={() => files.run('open')}
      />
    </>
  );
}
