import { PushDevices } from '@/features/push/components/PushDevices';
import { SecurityPage } from '@/features/security/pages/SecurityPage';

/** `/password/{id}`: the account's security and the devices that get its notices. */
export function PasswordPage() {
  return (
    <SecurityPage>
      <PushDevices />
    </SecurityPage>
  );
}
