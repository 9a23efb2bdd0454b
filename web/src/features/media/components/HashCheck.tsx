import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { MediaItem } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { Icon } from '@/shared/ui/Icon';
import { canCheckHash, MAX_CHECKED, matchesHash } from '../hash';
import classes from './Facts.module.css';

/** Copies the hash, or reads the file again and compares it. An expired file has nothing left to read. */
export function HashCheck({ item }: { item: MediaItem }) {
  const t = useT();
  const check = useMutation({ mutationFn: () => matchesHash(item.url, item.hash) });
  return (
    <>
      {check.data === true && <p className={classes.ok}>{t('media.hashMatches')}</p>}
      {check.data === false && (
        <p className={classes.bad} role="alert">
          {t('media.hashDiffers')}
        </p>
      )}
      {check.isError && (
        <p className={classes.bad} role="alert">
          {errorText(t, check.error)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="copy" size={16} />}
          onClick={() => void copyText(item.hash)}
        >
          {t('common.copy')}
        </Button>
        {canCheckHash() && !item.expired && item.size <= MAX_CHECKED && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="seal" size={16} />}
            loading={check.isPending}
            onClick={() => check.mutate()}
          >
            {t('media.hashCheck')}
          </Button>
        )}
      </div>
    </>
  );
}
