import { type TextInputProps, VisuallyHidden } from '@mantine/core';
import { type T, useT } from '@/shared/i18n';
import { PasswordField } from './PasswordField';
import classes from './PasswordPair.module.css';
import { LEVEL_MIN, type Level } from './strength';
import type { PasswordPairState } from './use-password-pair';

export { usePasswordPair } from './use-password-pair';

interface PasswordPairProps {
  state: PasswordPairState;
  /** Label of the first field. */
  label?: string;
  size?: TextInputProps['size'];
  /** Side by side where there is room. */
  wide?: boolean;
}

/** A new password, twice, with a strength bar of five levels and its word. */
export function PasswordPair({ state, label, size, wide = false }: PasswordPairProps) {
  const t = useT();
  return (
    <div className={classes.root} data-wide={wide || undefined}>
      <PasswordField
        size={size}
        label={label ?? t('recovery.password')}
        name="new-password"
        autoComplete="new-password"
        value={state.password}
        error={state.errors.password}
        description={<StrengthBar level={state.password ? state.level : null} />}
        descriptionProps={{ component: 'div' }}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onFocus={state.prepare}
        onChange={(event) => state.type('password', event.currentTarget.value)}
        onBlur={() => state.leave('password')}
      />
      <PasswordField
        size={size}
        label={t('recovery.repeat')}
        name="repeat-password"
        autoComplete="new-password"
        value={state.repeat}
        error={state.errors.repeat}
        onChange={(event) => state.type('repeat', event.currentTarget.value)}
        onBlur={() => state.leave('repeat')}
      />
    </div>
  );
}

const LEVELS = [1, 2, 3, 4, 5] as const;

const word = (t: T, level: Level) =>
  ({
    1: t('recovery.s1'),
    2: t('recovery.s2'),
    3: t('recovery.s3'),
    4: t('recovery.s4'),
    5: t('recovery.s5'),
  })[level];

function StrengthBar({ level }: { level: Level | null }) {
  const t = useT();
  return (
    <>
      <div className={classes.bar} data-enough={(level ?? 0) >= LEVEL_MIN || undefined} aria-hidden="true">
        {LEVELS.map((step) => (
          <span key={step} className={classes.step} data-on={step <= (level ?? 0) || undefined} />
        ))}
      </div>
      <p className={classes.word} aria-live="polite">
        {level ? (
          <>
            <VisuallyHidden>{t('recovery.strength')}: </VisuallyHidden>
            {word(t, level)}
          </>
        ) : (
          t('recovery.help')
        )}
      </p>
    </>
  );
}
