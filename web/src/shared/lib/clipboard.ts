import { t } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';

/** Copies a text and says so; when the browser refuses, says how to do it by hand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast.ok({ title: t('common.copied') });
    return true;
  } catch {
    toast.error({ title: t('common.copyFailed'), text });
    return false;
  }
}
