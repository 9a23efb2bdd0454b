import { operation } from '@/api/operation';
import { t } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';

/** The notice of the activation. Throws when it could not be sent. */
const sendActivationNotice = (email: string) =>
  operation('post', '/api/v1/activation-ok-email', { body: { email }, anonymous: true });

export const NOTICE_DELAY_MS = 3000;

/** Has the notice of the activation sent, and says after a while that it could not be. Never throws. */
export function announceLater(email: string): void {
  sendActivationNotice(email).then(
    ({ sent }) => sent || tell(email),
    () => tell(email),
  );
}

function tell(email: string): void {
  setTimeout(
    () => toast.info({ title: t('activation.mailFailedTitle'), text: t('activation.mailFailed', { email }) }),
    NOTICE_DELAY_MS,
  );
}
