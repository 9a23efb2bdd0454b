import { Radio } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { CAUSES, type Cause } from '../types';
import classes from './drawer.module.css';

interface RectifyCauseProps {
  value: Cause;
  error: string | undefined;
  onChange: (cause: Cause) => void;
}

/** Why the law lets an invoice be rectified, each cause with its type and when it is the right one. */
export function RectifyCause({ value, error, onChange }: RectifyCauseProps) {
  const t = useT();
  return (
    <Radio.Group label={t('invoices.cause')} value={value} error={error} onChange={(next) => onChange(next as Cause)}>
      <div className={classes.causeList}>
        {CAUSES.map((cause) => (
          <Radio
            key={cause}
            value={cause}
            label={t(`invoices.cause_${cause}`)}
            description={t(`invoices.causeHelp_${cause}`)}
          />
        ))}
      </div>
    </Radio.Group>
  );
}
