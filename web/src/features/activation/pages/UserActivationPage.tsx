import { useParams } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { Tag } from '@/shared/ui/Tag';
import type { Invitation } from '../api';
import { LinkGate } from '../components/LinkGate';
import { UserActivationForm } from '../components/UserActivationForm';
import { isUserRole } from '../model';

/** `/user-activation/{role}/{customer}/{token}`. */
export function UserActivationPage() {
  const t = useT();
  const { role, customer, token = '' } = useParams({ strict: false }) as Record<string, string | undefined>;
  usePage({ title: t('activation.userTitle') });
  const fits = (invitation: Invitation) =>
    isUserRole(invitation.role) && String(invitation.role) === role && invitation.customer === customer;
  return (
    <LinkGate token={token} fits={fits}>
      {(invitation, onDead) => (
        <PublicFrame
          width="wide"
          title={t('activation.userTitle')}
          subtitle={
            <>
              {t('activation.userSubtitle')} <Tag>{t(`roles.${invitation.role as 3 | 5 | 7}`)}</Tag>
            </>
          }
        >
          <UserActivationForm
            token={token}
            invitation={{ ...invitation, customer: invitation.customer ?? '' }}
            onDead={onDead}
          />
        </PublicFrame>
      )}
    </LinkGate>
  );
}
