import { Button, FileButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { dayText } from '@/shared/lib/months';
import { paths } from '@/shared/routes/paths';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Section } from '@/shared/ui/Section';
import { toast } from '@/shared/ui/toast';
import { attachDocument, withdrawRequest } from '../api';
import type { FiscalRequest } from '../types';
import { useFiscalRefresh } from '../use-fiscal-change';
import { Changes } from './Changes';
import { DocumentButton } from './DocumentButton';
import { ACCEPTED } from './DocumentField';
import classes from './fiscal.module.css';
import { RequestTag } from './RequestTag';

interface OpenRequestProps {
  request: FiscalRequest;
  admin: boolean;
}

/** The request that waits: what it asks for, its document, and the ways out. */
export function OpenRequest({ request, admin }: OpenRequestProps) {
  const t = useT();
  const language = useLanguage();
  const refresh = useFiscalRefresh();
  const onError = (error: Error) => toast.error({ title: t('fiscal.failed'), text: errorText(t, error) });
  const attaching = useMutation({
    mutationFn: (file: File) => attachDocument(request._id, file),
    onSuccess: () => {
      refresh(request.customerId);
      toast.ok({ title: t('fiscal.attached'), text: t('fiscal.sentText') });
    },
    onError,
  });
  const withdrawing = useMutation({
    mutationFn: () => withdrawRequest(request._id),
    onSuccess: () => {
      refresh(request.customerId);
      toast.ok({ title: t('fiscal.withdrawn') });
    },
    onError,
  });
  const withdraw = async () => {
    const question = { title: t('fiscal.withdrawAsk'), text: t('fiscal.withdrawText'), confirm: t('fiscal.withdraw') };
    if (await confirm(question)) withdrawing.mutate();
  };
  return (
    <Section
      id="fiscal-request"
      title={t('fiscal.pending')}
      text={t('fiscal.pendingText', { date: dayText(request.since, language) })}
      state={<RequestTag request={request} />}
    >
      {!request.document && !admin && <Note tone="warn" icon="ul" text={t('fiscal.needsDocumentText')} />}
      {request.anotherTaxpayer && <Note tone="warn" icon="warn" text={t('fiscal.taxIdWarning')} />}
      <Changes request={request} />
      {request.note && <p className={classes.words}>{request.note}</p>}
      <div className={classes.buttons}>
        <DocumentButton request={request} />
        {admin && (
          <Button component={Link} to={paths.fiscalRequest(request._id)} variant="default">
            {t('fiscal.decide')}
          </Button>
        )}
        {!admin && !request.document && (
          <FileButton
            accept={ACCEPTED}
            onChange={(file) => file && attaching.mutate(file)}
            inputProps={{ 'data-testid': 'fiscal-attach' } as object}
          >
            {(props) => (
              <Button {...props} loading={attaching.isPending} leftSection={<Icon name="ul" size={16} />}>
                {t('fiscal.attach')}
              </Button>
            )}
          </FileButton>
        )}
        {!admin && (
          <Button variant="subtle" loading={withdrawing.isPending} onClick={() => void withdraw()}>
            {t('fiscal.withdraw')}
          </Button>
        )}
      </div>
    </Section>
  );
}
