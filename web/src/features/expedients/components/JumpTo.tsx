import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { limits } from '@/api/generated/limits';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import classes from './expedient.module.css';

/** Goes to another case by its number. */
export function JumpTo() {
  const t = useT();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  return (
    <form
      className={classes.jump}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (!wanted) return;
        setText('');
        void navigate({ href: paths.expedient(wanted) });
      }}
    >
      <TextInput
        type="search"
        aria-label={t('expedients.jump')}
        placeholder={t('expedients.jump')}
        maxLength={limits.expedientMax}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!text.trim()}>
        {t('expedients.jumpGo')}
      </Button>
    </form>
  );
}
