import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';

/** A password with its eye. Takes the props of a `TextInput`. */
export function PasswordField(props: TextInputProps) {
  const t = useT();
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      autoCapitalize="none"
      spellCheck={false}
      rightSectionWidth={44}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={shown ? t('login.hide') : t('login.show')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </ActionIcon>
      }
      {...props}
      type={shown ? 'text' : 'password'}
    />
  );
}
