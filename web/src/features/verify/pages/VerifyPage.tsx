import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError } from '@/api/errors';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { ReadingPage } from '@/shared/ui/ReadingPage';
import { StateView } from '@/shared/ui/StateView';
import { verification } from '../api';
import { CertificateFacts, MediaTable } from '../components/CertificateFacts';
import { CodeForm } from '../components/CodeForm';
import { FileCheck } from '../components/FileCheck';
import classes from '../components/verify.module.css';
import { readCode, type VerifiedCertificate } from '../model';
import { useBroughtFiles } from '../use-brought-files';

/** `/verificar/{code}`: anybody compares a certificate and files with what was recorded. */
export function VerifyPage() {
  const t = useT();
  const { code: typed = '' } = useParams({ strict: false }) as { code?: string };
  const code = readCode(typed);
  const asked = useQuery({ ...verification(code ?? ''), enabled: code !== null });
  usePage({ title: t('verify.title') });

  const unknown = code === null || (asked.error instanceof ApiError && asked.error.status === 404);
  return (
    <ReadingPage title={t('verify.title')} lead={t('verify.lead')}>
      {unknown ? (
        <NotFound typed={typed} />
      ) : asked.error ? (
        <div className={classes.panel}>
          <LoadFailed title={t('verify.failed')} error={asked.error} onRetry={() => void asked.refetch()} />
        </div>
      ) : asked.data ? (
        <Certificate key={code} certificate={asked.data} code={code} />
      ) : (
        <Skeleton h={360} radius="lg" />
      )}
    </ReadingPage>
  );
}

function NotFound({ typed }: { typed: string }) {
  const t = useT();
  return (
    <section className={classes.panel}>
      <StateView icon="search" title={t('verify.notFound')} text={t('verify.notFoundText', { code: typed })} />
      <div className={classes.inside}>
        <CodeForm autoFocus />
      </div>
    </section>
  );
}

function Certificate({ certificate, code }: { certificate: VerifiedCertificate; code: string }) {
  const t = useT();
  const { files, bring } = useBroughtFiles();
  const inside = files.flatMap(({ archive }) => archive?.map(({ sha256 }) => sha256) ?? []);
  const found = new Set([...files.flatMap(({ sha256 }) => (sha256 ? [sha256] : [])), ...inside]);
  return (
    <>
      <div className={classes.columns}>
        <CertificateFacts certificate={certificate} />
        <FileCheck certificate={certificate} files={files} onBring={bring} />
      </div>
      <MediaTable media={certificate.media} found={found} />
      <div className={classes.foot}>
        <p className="num">{t('verify.codeShown', { code })}</p>
        <CodeForm />
      </div>
    </>
  );
}
