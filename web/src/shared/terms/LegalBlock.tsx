import { Button, Input } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './LegalBlock.module.css';
import { acceptedLegend, LegalModal } from './LegalModal';

interface LegalBlockProps {
  /** True, or when it was accepted (RFC 3339). */
  accepted: boolean | string;
  onAccept: (legalId: string) => void;
  /** Declined in the dialog. */
  onDecline: () => void;
  error?: string;
  /** As in `LegalModal`. */
  priceId?: string;
  legalIds?: readonly string[];
}

/** The acceptance of the legal terms as a part of a form: what has to be read, and whether it was accepted. */
export function LegalBlock({ accepted, onAccept, onDecline, error, priceId, legalIds }: LegalBlockProps) {
  const t = useT();
  const language = useLanguage();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <div>
      <div className={classes.box} data-error={error ? true : undefined}>
        <Icon name={accepted ? 'check' : 'doc'} className={accepted ? classes.done : classes.todo} />
        <div className={classes.body}>
          <b>{accepted ? acceptedLegend(t, accepted, language) : t('companies.legalTitle')}</b>
          <span className={classes.hint}>
            {t('companies.legalType1')} · {t('companies.legalType2')}
            {priceId !== undefined && ` · ${t('prices.priceTable')}`}
          </span>
        </div>
        <Button
          variant="default"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'legal-error' : undefined}
          onClick={() => setOpened(true)}
        >
          {accepted ? t('companies.legalReadAgain') : t('companies.legalRead')}
        </Button>
      </div>
      {error && (
        <Input.Error id="legal-error" role="alert">
          {error}
        </Input.Error>
      )}
      <LegalModal
        opened={opened}
        onClose={close}
        accepted={accepted}
        priceId={priceId}
        legalIds={legalIds}
        onAccept={(legalId) => {
          close();
          onAccept(legalId);
        }}
        onDecline={() => {
          close();
          onDecline();
        }}
      />
    </div>
  );
}
