import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Company } from '@/shared/company/kinds';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { openFile } from '@/shared/lib/open-file';
import { LegalModal } from '@/shared/terms/LegalModal';
import { Icon } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import { type Acceptance, acceptances } from '../model';
import classes from './CompanyPage.module.css';

interface LegalHistoryProps {
  company: Company;
  admin: boolean;
}

/** What was accepted and when, each readable again, and the contract as a file that can be kept (LSSI art. 27.4). */
export function LegalHistory({ company, admin }: LegalHistoryProps) {
  const t = useT();
  const language = useLanguage();
  const [shown, setShown] = useState<Acceptance | null>(null);
  const [opened, setOpened] = useState(false);
  const contract = useMutation({
    mutationFn: () =>
      openFile(`/api/v1/contract${admin ? `?company=${encodeURIComponent(company._id)}` : ''}`, 'contrato.pdf'),
    onError: (error) => toast.error({ title: t('companies.contractFailed'), text: errorText(t, error) }),
  });
  if (company.legalHistory.length === 0) return null;
  return (
    <section>
      <h2>{t('companies.legalHistory')}</h2>
      <ul className={classes.history}>
        {acceptances(company.legalHistory).map((act) => (
          <li key={`${act.ids.join()}${act.accepted_at}`}>
            <Icon name={act.expires_at ? 'clock' : 'check'} size={16} />
            <button
              type="button"
              className={`${classes.past} num`}
              onClick={() => {
                setShown(act);
                setOpened(true);
              }}
            >
              {act.expires_at
                ? t('companies.acceptedUntil', {
                    from: shortDate(act.accepted_at, language),
                    to: shortDate(act.expires_at, language),
                  })
                : t('companies.acceptedOn', { date: shortDate(act.accepted_at, language) })}
            </button>
          </li>
        ))}
      </ul>
      {company.legal && (
        <Button
          variant="default"
          mt={12}
          loading={contract.isPending}
          leftSection={<Icon name="doc" size={16} />}
          onClick={() => contract.mutate()}
        >
          {t('companies.contract')}
        </Button>
      )}
      {shown && (
        <LegalModal
          opened={opened}
          onClose={() => setOpened(false)}
          accepted={shown.accepted_at}
          legalIds={shown.ids}
          priceId={shown.priceId ?? undefined}
        />
      )}
    </section>
  );
}
