import { Button, Menu, ScrollArea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LanguageError, loadLanguage, useLanguage, useT } from '@/shared/i18n';
import { LITERALS } from '@/shared/i18n/literals';
import { Icon } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import { availableLanguages } from './api';
import classes from './LanguageMenu.module.css';
import { chosenFirst } from './model';

/** Dropdown max height. */
const MAX_HEIGHT = 220;

/** The language dropdown, with local flags. A failed change keeps the old language and says so. */
export function LanguageMenu({ compact = false }: { compact?: boolean }) {
  const t = useT();
  const language = useLanguage();
  const { data = [] } = useQuery(availableLanguages());
  const [loading, setLoading] = useState(false);
  const languages = chosenFirst(data, language);
  const current = languages.find((entry) => entry.code === language);

  const choose = async (code: string) => {
    if (code === language) return;
    setLoading(true);
    try {
      await loadLanguage(code, LITERALS.changeError);
    } catch (error) {
      const text = error instanceof LanguageError ? error.message : LITERALS.changeError;
      if (text === LITERALS.missing) toast.error({ title: text });
      else toast.error({ title: t('language.error'), text });
    } finally {
      setLoading(false);
    }
  };

  return (
    <Menu position="bottom-end" shadow="none" classNames={{ dropdown: classes.dropdown }} width={200}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="xs"
          className={classes.target}
          loading={loading}
          aria-label={`${t('common.selectLanguage')}: ${current?.name ?? ''} ${compact ? language.toUpperCase() : ''}`.trim()}
        >
          <Icon name="globe" size={16} />
          <span className={compact ? classes.compact : undefined}>
            {compact ? language.toUpperCase() : (current?.name ?? language)}
          </span>
          <Icon name="down" size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={MAX_HEIGHT} type="auto">
          {languages.map((entry) => (
            <Menu.Item
              key={entry.code}
              lang={entry.code}
              aria-current={entry.code === language ? 'true' : undefined}
              leftSection={<img src={entry.flagUrl} alt="" width={20} height={15} className={classes.flag} />}
              rightSection={entry.code === language ? <Icon name="check" size={16} /> : undefined}
              onClick={() => void choose(entry.code)}
            >
              {entry.name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
