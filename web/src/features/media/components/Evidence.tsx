import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conference } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { longDate, shortDateTime } from '@/shared/lib/dates';
import { download } from '@/shared/lib/download';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { certificatePath, certificatesQuery } from '../api';
import { mediaFailure } from '../errors';
import classes from './Evidence.module.css';

/** The conference's certificate with the state of its proof, and when its files go. */
export function Evidence({ conference }: { conference: Conference }) {
  const t = useT();
  const language = useLanguage();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { data } = useQuery(certificatesQuery(conference._id));
  const certificate = data?.certificates[0];
  const seal = data?.seal;
  const stamp = seal?.timestamp;

  const print = async () => {
    setBusy(true);
    try {
      await download(certificatePath(conference._id), {}, `certificado-${conference.expedientNumber}.pdf`);
      void client.invalidateQueries({ queryKey: certificatesQuery(conference._id).queryKey });
    } catch (error) {
      mediaFailure(t, 'certificateError', error, () => void print());
    } finally {
      setBusy(false);
    }
  };
  const until = conference.mediaExpiresAt ? longDate(conference.mediaExpiresAt, language) : null;
  return (
    <div className={classes.root}>
      {data && !data.chain.valid && (
        <Note tone="bad" icon="warn" text={t('media.chainBroken', { n: data.chain.brokenAt ?? '–' })} />
      )}
      <Button variant="default" leftSection={<Icon name="seal" />} loading={busy} onClick={() => void print()}>
        {t('media.certificate')}
      </Button>
      {data && (
        <div className={classes.state}>
          {certificate ? (
            <div>
              <span className="num">
                {t('media.certificateNumber', {
                  number: certificate.number,
                  date: shortDateTime(certificate.issuedAt, language),
                })}
              </span>
              {certificate.state === 'void' && <b className={classes.bad}> · {t('media.certificateVoid')}</b>}
              {' · '}
              <a href={certificate.url} target="_blank" rel="noopener noreferrer">
                {t('media.certificateVerify')}
              </a>
            </div>
          ) : (
            <div>{t('media.certificateNone')}</div>
          )}
          <div className={seal ? `${classes.line} ${classes.ok}` : undefined}>
            {seal && <Icon name="check" size={14} />}
            {seal ? t('media.sealedAt', { date: shortDateTime(seal.sealedAt, language) }) : t('media.sealNone')}
          </div>
          {stamp && (
            <div className={`${classes.line} ${classes.ok}`}>
              <Icon name="clock" size={14} />
              {t(stamp.qualified ? 'media.sealTimestampQualified' : 'media.sealTimestamp', {
                authority: stamp.authority,
                date: shortDateTime(stamp.at, language),
              })}
            </div>
          )}
        </div>
      )}
      {until && (
        <p className={classes.expiry}>
          {conference.mediaExpired ? t('media.expiredOn', { date: until }) : t('media.expiresOn', { date: until })}
        </p>
      )}
    </div>
  );
}
