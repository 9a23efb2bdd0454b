import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { T } from '@/shared/i18n';
import { errorText } from '@/shared/i18n';
import classes from './components/media.module.css';

export type MediaFailure = 'loadError' | 'downloadError' | 'zipError' | 'openError' | 'certificateError';

/** The dialogs of SPEC §8 "Media": what failed, why, and another try. */
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
        <div className={classes.dialogActions}>
          <Button variant="subtle" onClick={() => modals.close(id)}>
            {t('common.close')}
          </Button>
          {retry && (
            <Button
              onClick={() => {
                modals.close(id);
                retry();
              }}
            >
              {t('common.retry')}
            </Button>
          )}
        </div>
      </>
    ),
  });
}
