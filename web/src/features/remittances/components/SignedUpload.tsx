import { Button, Modal } from '@mantine/core';
import { useRef, useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import type { Mandate } from '../types';
import { SignedForm } from './SignedForm';

/** Takes the paper that was signed by hand, and what stands on it. */
export function SignedUpload({ mandate }: { mandate: Mandate }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [file, take] = useState<File | null>(null);
  const [opened, open] = useState(false);
  const choose = () => input.current?.click();
  return (
    <>
      <Button variant="default" leftSection={<Icon name="ul" size={16} />} onClick={choose}>
        {t('sepa.uploadSigned')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/pdf,image/jpeg,image/png"
        data-testid="signed-file"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (!chosen) return;
          take(chosen);
          open(true);
        }}
      />
      <Modal opened={opened} onClose={() => open(false)} size={440} title={t('sepa.paperTitle')}>
        {file && <SignedForm mandate={mandate} file={file} onOther={choose} onClose={() => open(false)} />}
      </Modal>
    </>
  );
}
