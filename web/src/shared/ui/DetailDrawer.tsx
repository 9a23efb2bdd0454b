import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useT } from '@/shared/i18n';

interface DetailDrawerProps<T> {
  /** What is shown, or only its id; closed without. */
  of: T | null;
  onClose: () => void;
  /** Width in pixels. */
  size: number;
  title: string | ((of: T) => string);
  classNames?: { header?: string; body?: string };
  children: (of: T) => ReactNode;
}

/** One thing of a list, on the right of it. While it leaves it shows what it showed. */
export function DetailDrawer<T>({ of, onClose, size, title, classNames, children }: DetailDrawerProps<T>) {
  const t = useT();
  const [kept, keep] = useState(of);
  useEffect(() => {
    if (of !== null) keep(of);
  }, [of]);
  const shown = of ?? kept;
  const heading = typeof title === 'string' ? title : shown === null ? '' : title(shown);
  return (
    <Drawer
      opened={of !== null}
      onClose={onClose}
      position="right"
      size={size}
      title={heading}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      classNames={classNames}
    >
      {shown !== null && children(shown)}
    </Drawer>
  );
}
