import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useLanguage, useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { IconAction } from '@/shared/ui/IconAction';
import type { Invoice } from '../types';
import { useInvoiceFiles } from '../use-files';
import { askAfterReturn } from './ReturnReason';

interface RowActionsProps {
  invoice: Invoice;
  /** The customer reads it, who can mend the account. */
  advice: boolean;
  narrow: boolean;
  /** Opens what the administrator can do about a return. */
  onWays: () => void;
}

/** Why it came back, and the invoice as it was issued. */
export function RowActions({ invoice, advice, narrow, onWays }: RowActionsProps) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const files = useInvoiceFiles(invoice);
  const { number } = invoice;
  const explain = async () => {
    if (!(await askAfterReturn(t, language, invoice, advice))) return;
    if (advice) await navigate({ href: paths.companyProfile(invoice.customerId) });
    else onWays();
  };
  return (
    <>
      {!narrow && invoice.status === 'returned' && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('invoices.reasonOf', { number })}
          onClick={() => void explain()}
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
