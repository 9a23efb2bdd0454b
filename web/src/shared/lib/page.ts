import { useEffect, useSyncExternalStore } from 'react';

/** What the shown page tells the shell around it. */
export interface PageInfo {
  /** Of the tab and of the header. */
  title: string;
  /** The step before, shown in front of the title. */
  crumb?: { label: string; href: string };
  /** True while the page needs the whole window (a call): sidebar and header are hidden. */
  immersive?: boolean;
  /** Address of the menu's entry that the page belongs to, where its own address does not tell. */
  section?: string;
}

const NOTHING: PageInfo = { title: '' };
let shown: PageInfo = NOTHING;
let alert: string | null = null;
const listeners = new Set<() => void>();

function writeTitle(): void {
  document.title = alert ?? (shown.title ? `${shown.title} · Atalaya` : 'Atalaya');
}

/** Puts a text in the tab in place of the page's title, or takes it away again. */
export function setTitleAlert(text: string | null): void {
  alert = text;
  writeTitle();
}

function show(info: PageInfo): void {
  shown = info;
  writeTitle();
  for (const listener of listeners) listener();
}

/** Tells the shell the page's title, crumb and whether it takes the whole window; undone when the page leaves. */
export function usePage(info: PageInfo): void {
  const { title, immersive = false, section } = info;
  const label = info.crumb?.label;
  const href = info.crumb?.href;
  useEffect(() => {
    show({ title, immersive, section, crumb: label && href ? { label, href } : undefined });
    return () => show(NOTHING);
  }, [title, immersive, section, label, href]);
}

/** For the shell. */
export function useShownPage(): PageInfo {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => shown,
  );
}
