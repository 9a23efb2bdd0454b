import { useParams } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { CompanyActivationForm } from '../components/CompanyActivationForm';
import { LinkGate } from '../components/LinkGate';
import { type CompanyKind, kindOfRole } from '../model';

/** `/customer-activation/{token}`, for customers, repairers and workshops by the token's role. */
export function CustomerActivationPage() {
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  return (
    <LinkGate token={token} fits={({ role }) => kindOfRole(role) !== null}>
      {(invitation, onDead) => {
        const kind = kindOfRole(invitation.role) as CompanyKind;
        return (
          <Frame kind={kind}>
            <CompanyActivationForm token={token} kind={kind} invitation={invitation} onDead={onDead} />
          </Frame>
        );
      }}
    </LinkGate>
  );
}

function Frame({ kind, children }: { kind: CompanyKind; children: React.ReactNode }) {
  const t = useT();
  const title = t(`activation.title${kind.role}`);
  usePage({ title });
  return (
    <PublicFrame width="wide" title={title} subtitle={t('activation.companySubtitle')}>
      {children}
    </PublicFrame>
  );
}
