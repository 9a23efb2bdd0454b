import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DayField } from '@/shared/forms/DayField';
import { errorText, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { dataTerms, previewTerms } from '../api';
import classes from './privacy.module.css';

/** The term of each class of data, and who processes data for the platform, as configured. */
export function Terms() {
  const t = useT();
  const { data } = useQuery(dataTerms());
  if (!data) return null;
  const blocked = t('privacy.blockedThen', { count: data.blockedDays });
  return (
    <>
      <h2>{t('privacy.termsTitle')}</h2>
      <dl className={`${classes.panel} ${classes.kept}`}>
        {data.terms.map(({ dataClass, days }) => (
          <div key={dataClass}>
            <dt>{t(`contract.term_${dataClass}` as 'contract.term_phone')}</dt>
            <dd>
              <b className="num">{t('privacy.days', { count: days })}</b>
              <span>{dataClass === 'events' ? t('privacy.eventsThen', { count: data.blockedDays }) : blocked}</span>
            </dd>
          </div>
        ))}
      </dl>
      <h2>{t('contract.processors')}</h2>
      {data.processors.length === 0 ? (
        <p className={classes.quiet}>{t('contract.noProcessors')}</p>
      ) : (
        <dl className={`${classes.panel} ${classes.kept}`}>
          {data.processors.map(({ service, name }) => (
            <div key={`${service} ${name}`}>
              <dt>{t(`contract.service_${service}` as 'contract.service_sms')}</dt>
              <dd>{name}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** What the terms would do on a day, without doing it. */
export function Preview() {
  const t = useT();
  const [day, setDay] = useState('');
  const asking = useMutation({ mutationFn: previewTerms });
  return (
    <>
      <h2>{t('privacy.preview')}</h2>
      <p className={classes.quiet}>{t('privacy.previewHelp')}</p>
      <div className={classes.search}>
        <DayField label={t('privacy.previewDay')} value={day} onChange={setDay} clearable />
        <Button
          variant="default"
          leftSection={<Icon name="search" size={16} />}
          loading={asking.isPending}
          onClick={() => asking.mutate(day)}
        >
          {t('privacy.simulate')}
        </Button>
      </div>
      {asking.error && (
        <Note tone="bad" icon="warn" title={t('privacy.previewFailed')} text={errorText(t, asking.error)} />
      )}
      {asking.data && (
        <dl className={`${classes.panel} ${classes.kept}`}>
          {asking.data.classes.map(({ dataClass, toBlock, toDelete }) => (
            <div key={dataClass}>
              <dt>{t(`contract.term_${dataClass}` as 'contract.term_phone')}</dt>
              <dd>
                <b className="num">{t('privacy.toBlock', { count: toBlock })}</b>
                <span className="num">{t('privacy.toDelete', { count: toDelete })}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
