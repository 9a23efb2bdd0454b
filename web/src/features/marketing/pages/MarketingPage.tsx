import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '@/api/errors';
import { chosenLanguage, errorText, showLanguage, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { confirm, notice } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { StateView } from '@/shared/ui/StateView';
import { type MarketingLink, marketingLink, respond } from '../api';
import { leave } from '../leave';

/** `/marketing/{token}`: the answer of a link in a message. */
export function MarketingPage() {
  const t = useT();
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const asked = useQuery(marketingLink(token));
  usePage({ title: t('marketing.title') });
  const language = asked.data?.language;
  useEffect(() => {
    // The language of the message, unless somebody chose one here.
    if (language && !chosenLanguage()) void showLanguage(language).catch(() => {});
  }, [language]);

  if (asked.error) return <Failed error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data) {
    return (
      <PublicFrame title={t('marketing.checking')}>
        <Skeleton h={120} />
      </PublicFrame>
    );
  }
  return asked.data.permission === 'YES' ? (
    <Subscribe token={token} link={asked.data} />
  ) : (
    <Unsubscribe token={token} link={asked.data} />
  );
}

/** The server's message. */
function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useT();
  const passing = error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429);
  return (
    <PublicFrame title={t('marketing.title')}>
      <StateView
        icon="warn"
        tone="bad"
        title={errorText(t, error)}
        text={passing ? undefined : t('marketing.failedText')}
        action={passing ? { label: t('common.retry'), icon: 'refresh', run: retry } : undefined}
      />
    </PublicFrame>
  );
}

interface AnswerProps {
  token: string;
  link: MarketingLink;
}

/** A yes counts when its dialog is confirmed: robots of mail programs open links, too. */
function Subscribe({ token, link }: AnswerProps) {
  const t = useT();
  const asked = useRef(false);
  const answering = useMutation({
    mutationFn: () => respond(token, link.email, 'YES'),
    onSuccess: ({ redirectUrl }) => leave(redirectUrl),
  });
  const { company, email } = link;
  const ask = async () => {
    const sure = await confirm({
      title: t('marketing.thanks'),
      text: t('marketing.thanksText', { company, email }),
      confirm: t('marketing.confirm'),
      tone: 'ok',
    });
    if (sure) answering.mutate();
  };
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void ask();
  });
  if (answering.isSuccess) return <Done title={t('marketing.thanks')} href={answering.data.redirectUrl} />;
  return (
    <PublicFrame title={t('marketing.yesTitle')} subtitle={t('marketing.yesText', { company, email })}>
      {answering.error && (
        <Note tone="bad" icon="warn" title={t('marketing.notRecorded')} text={errorText(t, answering.error)} />
      )}
      <Button size="md" fullWidth mt={16} loading={answering.isPending} onClick={() => answering.mutate()}>
        {t('marketing.confirm')}
      </Button>
    </PublicFrame>
  );
}

/** A no counts at once. */
function Unsubscribe({ token, link }: AnswerProps) {
  const t = useT();
  const asked = useRef(false);
  const answering = useMutation({
    mutationFn: () => respond(token, link.email, 'NO'),
    onSuccess: async ({ redirectUrl }) => {
      await notice({
        title: t('marketing.unsubscribed'),
        text: t('marketing.unsubscribedText', { email: link.email }),
        tone: 'ok',
      });
      leave(redirectUrl);
    },
  });
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    answering.mutate();
  });
  if (answering.error) return <Failed error={answering.error} retry={() => answering.mutate()} />;
  if (answering.isSuccess) return <Done title={t('marketing.unsubscribed')} href={answering.data.redirectUrl} />;
  return (
    <PublicFrame title={t('marketing.unsubscribing')}>
      <Skeleton h={120} />
    </PublicFrame>
  );
}

/** What stays behind the dialog, and shows while the next site loads. */
function Done({ title, href }: { title: string; href: string }) {
  const t = useT();
  return (
    <PublicFrame title={title} subtitle={t('marketing.recorded')}>
      <Button size="md" fullWidth variant="default" onClick={() => leave(href)}>
        {t('marketing.goOn')}
      </Button>
    </PublicFrame>
  );
}
