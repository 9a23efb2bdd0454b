import type { ConferenceRow } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { formatPhone } from '@/shared/lib/phone';
import { FactList } from '@/shared/ui/FactList';
import { Plate } from '@/shared/ui/Plate';
import { caseFacts } from '../facts';
import classes from './expedient.module.css';

/** The case at a glance. */
export function Facts({ conferences }: { conferences: ConferenceRow[] }) {
  const t = useT();
  const language = useLanguage();
  const facts = caseFacts(conferences);
  const shown: [string, React.ReactNode][] = [
    [t('conferences.contact'), facts.contactPerson],
    [t('conferences.phone'), facts.phoneNumber && formatPhone(facts.phoneNumber)],
    [t('conferences.plate'), facts.carId && <Plate key="plate" plate={facts.carId} />],
    [t('conferences.address'), facts.place],
    [t('conferences.customer'), facts.customerName],
    [t('expedients.firstCall'), facts.firstAt && longDate(facts.firstAt, language)],
    [t('expedients.lastCall'), facts.lastAt && facts.lastAt !== facts.firstAt && longDate(facts.lastAt, language)],
  ];
  return <FactList className={classes.facts} facts={shown} />;
}
