import { modals } from '@mantine/modals';
import type { T } from '@/shared/i18n';
import { errorText } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import classes from './components/media.module.css';

export type MediaFailure =
  | 'loadError'
  | 'downloadError'
  | 'zipError'
  | 'openError'
  | 'certificateError'
  | 'photoReportError'
  | 'marksExportError';

/** The dialogs of files: what failed, why, and another try. */
export function mediaFailure(t: T, what: MediaFailure, error: unknown, retry?: () => void): void {
  const id = `media-${what}`;
  modals.open({
    modalId: id,
    title: t(`media.${what}`),
    size: 440,
    closeButtonProps: { 'aria-label': t('common.close') },
    children: (
      <>
        <p className={classes.dialogText}>{error === null ? t('media.openErrorText') : errorText(t, error)}</p>
        {retry ? (
          <DialogButtons
            onCancel={() => modals.close(id)}
            cancel={t('common.close')}
            go={t('common.retry')}
            onGo={() => {
              modals.close(id);
              retry();
            }}
            apart
          />
        ) : (
          <DialogButtons go={t('common.close')} onGo={() => modals.close(id)} apart />
        )}
      </>
    ),
  });
}
