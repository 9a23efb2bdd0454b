import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { shortDateTime } from '@/shared/lib/dates';
import { download } from '@/shared/lib/download';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { recordPath, recordXml } from '../api';
import { kindText } from '../columns';
import { answerText, type ChainRecord, readableXml, wordsOf } from '../model';
import { CorrectForm } from './CorrectForm';
import { Hash } from './Overview';
import { RecordTag } from './Tags';
import classes from './verifactu.module.css';

interface RecordDrawerProps {
  record: ChainRecord | null;
  onClose: () => void;
  onResend: (record: ChainRecord) => void;
}

/** One link of the chain on the right of the list: its facts, what the tax agency said, its XML. */
export function RecordDrawer({ record, onClose, onResend }: RecordDrawerProps) {
  const t = useT();
  return (
    <DetailDrawer of={record} onClose={onClose} size={640} title={({ seq }) => t('verifactu.record', { seq })}>
      {(shown) => (
        <div className={classes.drawer}>
          <Facts record={shown} />
          <Again key={`again-${shown._id}`} record={shown} onResend={onResend} />
          <Xml key={shown._id} record={shown} />
        </div>
      )}
    </DetailDrawer>
  );
}

/** What puts a record right: the same once more, or with other words. */
function Again({ record, onResend }: { record: ChainRecord; onResend: (record: ChainRecord) => void }) {
  const t = useT();
  const { data: xml } = useQuery({ ...recordXml(record._id), enabled: record.correctable });
  const [correcting, correct] = useState(false);
  if (!record.resendable && !record.correctable) return null;
  return (
    <>
      <div className={classes.buttons}>
        {record.resendable && (
          <Button
            // One filled button at a time: the form has its own.
            variant={correcting ? 'default' : 'filled'}
            leftSection={<Icon name="send" size={16} />}
            onClick={() => onResend(record)}
          >
            {t('verifactu.resend')}
          </Button>
        )}
        {record.correctable && (
          <Button
            variant="default"
            leftSection={<Icon name="pen" size={16} />}
            aria-expanded={correcting}
            loading={correcting && !xml}
            onClick={() => correct(!correcting)}
          >
            {t('verifactu.correct')}
          </Button>
        )}
      </div>
      {correcting && xml && record.correctable && (
        <CorrectForm record={record} words={wordsOf(xml)} onDone={() => correct(false)} />
      )}
    </>
  );
}

function Facts({ record }: { record: ChainRecord }) {
  const t = useT();
  const language = useLanguage();
  const answer = answerText(t, record);
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('verifactu.state')}</dt>
        <dd>
          <RecordTag state={record.state} />
        </dd>
        <dt>{t('verifactu.number')}</dt>
        <dd className="num">
          {record.number} · {dayText(record.issueDate, language)}
        </dd>
        <dt>{t('verifactu.kind')}</dt>
        <dd>{kindText(t, record)}</dd>
        {record.total != null && (
          <>
            <dt>{t('verifactu.total')}</dt>
            <dd className="num">{euros(record.total, language)}</dd>
          </>
        )}
        <dt>{t('verifactu.at')}</dt>
        <dd className="num">{shortDateTime(record.at, language)}</dd>
        {record.sentAt && (
          <>
            <dt>{t('verifactu.sentAt')}</dt>
            <dd className="num">{shortDateTime(record.sentAt, language)}</dd>
          </>
        )}
        <dt>{t('verifactu.hash')}</dt>
        <dd>
          <Hash hash={record.hash} label={t('verifactu.hash')} />
        </dd>
        {record.csv && (
          <>
            <dt>{t('verifactu.csv')}</dt>
            <dd>
              <code>{record.csv}</code>
            </dd>
          </>
        )}
      </dl>
      {answer && (
        <Note
          tone={record.state === 'rejected' ? 'bad' : 'warn'}
          icon="warn"
          title={t('verifactu.answer')}
          text={answer}
        />
      )}
    </>
  );
}

function Xml({ record }: { record: ChainRecord }) {
  const t = useT();
  const { data, error, refetch } = useQuery(recordXml(record._id));
  const save = async () => {
    try {
      await download(recordPath(record._id), {}, `${record.number}-${record.seq}.xml`);
    } catch (failure) {
      toast.error({ title: t('verifactu.xmlFailed'), text: errorText(t, failure) });
    }
  };
  if (error && !data) {
    return <LoadFailed title={t('verifactu.xmlFailed')} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section aria-labelledby="verifactu-xml">
      <div className={classes.xmlHead}>
        <h3 id="verifactu-xml">{t('verifactu.xml')}</h3>
        {data && (
          <div className={classes.buttons}>
            <IconAction
              icon="copy"
              size={28}
              label={`${t('common.copy')}: ${t('verifactu.xml')}`}
              onClick={() => void copyText(data)}
            />
            <Button size="xs" variant="default" leftSection={<Icon name="dl" size={16} />} onClick={() => void save()}>
              {t('verifactu.downloadXml')}
            </Button>
          </div>
        )}
      </div>
      {data ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide text is scrolled by keyboard too
        <pre className={classes.xml} tabIndex={0}>
          {readableXml(data)}
        </pre>
      ) : (
        <Skeleton h={240} aria-hidden="true" />
      )}
    </section>
  );
}
