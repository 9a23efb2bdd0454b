import { Modal } from '@mantine/core';
import { useLanguage, useT } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { Note } from '@/shared/ui/Note';
import { makeRemittance } from '../api';
import type { Due, RemittanceMade } from '../types';
import classes from './remittances.module.css';
import { SecretForm } from './SecretForm';

interface MakeModalProps {
  due: Due;
  opened: boolean;
  onClose: () => void;
  onMade: (made: RemittanceMade) => void;
}

/** What is about to be made, and the secret that opens the account numbers for it. */
export function MakeModal({ due, opened, onClose, onMade }: MakeModalProps) {
  const t = useT();
  const language = useLanguage();
  return (
    <Modal opened={opened} onClose={onClose} size={440} title={t('sepa.make')}>
      <SecretForm label={t('sepa.makeGo')} run={makeRemittance} onDone={onMade} onClose={onClose}>
        <p className={classes.text}>
          {t('sepa.makeText', {
            count: due.nbOfTxs,
            amount: euros(due.ctrlSum, language),
            date: dayText(due.collectionDate, language),
          })}
        </p>
        {due.excluded.length > 0 && <Note text={t('sepa.makeExcluded', { count: due.excluded.length })} />}
      </SecretForm>
    </Modal>
  );
}
