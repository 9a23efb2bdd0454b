import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText, useT } from '@/shared/i18n';
import { formatPhone } from '@/shared/lib/phone';
import { confirm } from '@/shared/ui/dialogs';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { actOnWhatsapp, type WhatsappAction, type WhatsappSession, type WhatsappStatus, whatsappSession } from '../api';
import classes from './ServiceState.module.css';

const LOOKS: Record<WhatsappStatus, { tone: 'ok' | 'warn' | 'bad' | 'acc' | 'quiet'; icon: IconName }> = {
  STOPPED: { tone: 'quiet', icon: 'pause' },
  STARTING: { tone: 'acc', icon: 'clock' },
  SCAN_QR_CODE: { tone: 'warn', icon: 'qr' },
  WORKING: { tone: 'ok', icon: 'check' },
  FAILED: { tone: 'bad', icon: 'x' },
};

/** The telephone that WhatsApp messages leave from: how its link stands, the code to link it, and its switches. */
export function WhatsappCard({ configured }: { configured: boolean }) {
  const t = useT();
  const session = useQuery({ ...whatsappSession, enabled: configured });
  const { data, error } = session;
  const body = () => {
    if (!configured || data?.configured === false) {
      return <p className={classes.empty}>{t('messageservice.waNone')}</p>;
    }
    if (data) return <Session session={data} />;
    if (!error) return <Skeleton h={96} m={16} />;
    const retry = (
      <Button variant="default" size="xs" loading={session.isFetching} onClick={() => void session.refetch()}>
        {t('common.retry')}
      </Button>
    );
    return (
      <div className={classes.inset}>
        <Note tone="bad" icon="warn" title={t('messageservice.waError')} text={errorText(t, error)} action={retry} />
      </div>
    );
  };
  return (
    <section className={classes.panel} aria-labelledby="whatsapp">
      <div className={classes.panelHead}>
        <h2 id="whatsapp" className={classes.panelTitle}>
          WhatsApp
        </h2>
        {configured && data && <StatusTag status={data.status} />}
      </div>
      {body()}
    </section>
  );
}

function StatusTag({ status }: { status: WhatsappStatus }) {
  const t = useT();
  const { tone, icon } = LOOKS[status];
  return (
    <Tag tone={tone} icon={icon}>
      {t(`messageservice.wa_${status}`)}
    </Tag>
  );
}

function Session({ session }: { session: WhatsappSession }) {
  const t = useT();
  const { status, qr, me } = session;
  const { act, busy } = useActions();
  const button = (action: WhatsappAction, icon: IconName, label: string) => (
    <Button
      variant="default"
      leftSection={<Icon name={icon} size={16} />}
      loading={busy === action}
      disabled={busy !== null && busy !== action}
      onClick={() => void act(action)}
    >
      {label}
    </Button>
  );
  return (
    <div className={classes.session}>
      {status === 'SCAN_QR_CODE' && qr && <img className={classes.qr} src={qr} alt={t('messageservice.waQr')} />}
      <div className={classes.words}>
        <p className={classes.text}>{t(`messageservice.waText_${status}`)}</p>
        {me && <p className={`${classes.quiet} num`}>{t('messageservice.waMe', { phone: formatPhone(me) })}</p>}
        <div className={classes.actions}>
          {button(
            'restart',
            'refresh',
            status === 'STOPPED' ? t('messageservice.waStart') : t('messageservice.waRestart'),
          )}
          {status !== 'STOPPED' && button('stop', 'pause', t('messageservice.waStop'))}
          {button('clean', 'trash', t('messageservice.waClean'))}
        </div>
      </div>
    </div>
  );
}

function useActions() {
  const t = useT();
  const queries = useQueryClient();
  const action = useMutation({
    mutationFn: actOnWhatsapp,
    onSuccess: (session) => queries.setQueryData(whatsappSession.queryKey, session),
    onError: (error) => toast.error({ title: t('messageservice.waActionFailed'), text: errorText(t, error) }),
  });
  const act = async (name: WhatsappAction) => {
    const clean = {
      title: t('messageservice.waCleanTitle'),
      text: t('messageservice.waCleanText'),
      confirm: t('messageservice.waClean'),
      danger: true,
    };
    const stop = {
      title: t('messageservice.waStopTitle'),
      text: t('messageservice.waStopText'),
      confirm: t('messageservice.waStop'),
    };
    if (name !== 'restart' && !(await confirm(name === 'clean' ? clean : stop))) return;
    action.mutate(name);
  };
  return { act, busy: action.isPending ? action.variables : null };
}
