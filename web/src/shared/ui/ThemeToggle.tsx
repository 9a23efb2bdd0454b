import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useT } from '../i18n';
import { Icon } from './Icon';

/** Dark and light; the choice is remembered by Mantine's manager under the key `theme`. */
export function ThemeToggle() {
  const t = useT();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = colorScheme === 'light' ? 'dark' : 'light';
  const label = next === 'light' ? t('shell.themeLight') : t('shell.themeDark');
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} onClick={() => setColorScheme(next)}>
        <Icon name="sun" />
      </ActionIcon>
    </Tooltip>
  );
}
