import { Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import type { MediaItem } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { sizeText, timeOfDay } from '@/shared/lib/format';
import { Icon } from '@/shared/ui/Icon';
import { StateView } from '@/shared/ui/StateView';
import classes from './SidePanel.module.css';

interface DocumentsTabProps {
  documents: MediaItem[];
  uploading: boolean;
  onUpload: (files: File[]) => void;
}

/** What the server keeps; it looks at the bytes and decides in the end. */
const ACCEPTED = '.pdf,.jpg,.jpeg,.png,.webp,.heic,.mp4,.mov,.webm';

/** Documents of the case: open in a new tab, add by button or by dropping. */
export function DocumentsTab({ documents, uploading, onUpload }: DocumentsTabProps) {
  const t = useT();
  const language = useLanguage();
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button below is the first.
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onUpload([...event.dataTransfer.files]);
      }}
    >
      {documents.length === 0 ? (
        <StateView icon="doc" title={t('call.documentsNone')} text={t('call.documentsNoneText')} />
      ) : (
        <ul className={classes.files}>
          {documents.map((item) => (
            <li key={item._id}>
              <a className={classes.file} href={item.url} target="_blank" rel="noopener noreferrer">
                <Icon name="doc" className={classes.fileIcon} />
                <span className={classes.fileText}>
                  <span className={classes.fileName}>{item.originalFileName || item.filename}</span>
                  <span className={`${classes.fileLine} num`}>
                    {timeOfDay(item.createdAt, language)} · {sizeText(item.size, language)}
                  </span>
                </span>
                <Icon name="ext" size={16} className={classes.fileIcon} label={t('common.openNewTab')} />
              </a>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.foot}>
        <FileButton multiple accept={ACCEPTED} onChange={onUpload}>
          {(button) => (
            <Button
              {...button}
              fullWidth
              variant="default"
              loading={uploading}
              leftSection={<Icon name="ul" size={16} />}
            >
              {t('call.documentAdd')}
            </Button>
          )}
        </FileButton>
      </div>
    </div>
  );
}
