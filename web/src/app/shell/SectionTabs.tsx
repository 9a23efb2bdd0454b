import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useT } from '@/shared/i18n';
import { menuLabel } from '@/shared/routes/labels';
import { useRequiredSession } from '@/shared/session';
import { isActive, menuOf, tabbedSection } from './menu';
import classes from './SectionTabs.module.css';

/** The pages of the shown page's section, side by side: links, because each has its own address. */
export function SectionTabs({ blocked }: { blocked: boolean }) {
  const t = useT();
  const person = useRequiredSession();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  const section = tabbedSection(menuOf(person, blocked), pathname);
  if (!section) return null;
  const name = menuLabel(t, section.name);
  return (
    <nav className={classes.tabs} aria-label={t('shell.sectionPages', { section: name })}>
      {section.children.map((page) => {
        const shown = isActive(page.url, pathname);
        return (
          <Link
            key={page.url}
            ref={shown ? current : undefined}
            to={page.url}
            className={classes.tab}
            data-active={shown || undefined}
            aria-current={shown ? 'page' : undefined}
          >
            {menuLabel(t, page.name)}
          </Link>
        );
      })}
    </nav>
  );
}
