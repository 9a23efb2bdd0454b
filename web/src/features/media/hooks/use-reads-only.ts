import { isRepairSide, roleOf } from '@/shared/routes/access';
import { useSession } from '@/shared/session';

/** Whether the reader only looks: certificate, verdicts and names are the firm's, not the repair side's. */
export function useReadsOnly(): boolean {
  const session = useSession();
  return session !== null && isRepairSide(roleOf(session));
}
