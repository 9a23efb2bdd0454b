import { Button, FileButton, Input } from '@mantine/core';
import { useId } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './fiscal.module.css';

export const ACCEPTED = 'application/pdf,image/jpeg,image/png';

interface DocumentFieldProps {
  file: File | null;
  onChange: (file: File | null) => void;
  error?: string;
}

/** The document that proves a change. */
export function DocumentField({ file, onChange, error }: DocumentFieldProps) {
  const t = useT();
  const wrong = useId();
  return (
    <Input.Wrapper label={t('fiscal.file')} description={t('fiscal.fileHelp')} labelElement="div">
      <div className={classes.buttons}>
        <FileButton accept={ACCEPTED} onChange={onChange} inputProps={{ 'data-testid': 'fiscal-document' } as object}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<Icon name="ul" size={16} />}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? wrong : undefined}
            >
              {file ? file.name : t('fiscal.fileChoose')}
            </Button>
          )}
        </FileButton>
      </div>
      {error && (
        <Input.Error id={wrong} role="alert">
          {error}
        </Input.Error>
      )}
    </Input.Wrapper>
  );
}
