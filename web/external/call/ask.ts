/** A device that is turned on in the call: the adjuster reads what becomes of the question, also while it stays open (EVID-31). */
import { Refused } from '../devices';
import { SLOW_AFTER } from '../effects';
import { type Device, refusalCode } from '../model';

type Report = (type: string, data: { permission: Device; reason?: string }) => void;

export async function askInCall<T>(permission: Device, open: () => Promise<T>, report: Report): Promise<T> {
  const denied = (reason: string) => report('PERMISSION_DENIED', { permission, reason });
  const slow = setTimeout(() => denied('PERMISSION_NO_ANSWER'), SLOW_AFTER);
  try {
    const opened = await open();
    report('PERMISSION_GRANTED', { permission });
    return opened;
  } catch (error) {
    if (error instanceof Refused) denied(refusalCode(permission, error.kind));
    throw error;
  } finally {
    clearTimeout(slow);
  }
}
