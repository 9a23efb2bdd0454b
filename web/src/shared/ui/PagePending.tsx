import { Skeleton } from '@mantine/core';

/** Shown while a page's code is on its way. */
export function PagePending() {
  return (
    <div style={{ padding: 'var(--at-6)', display: 'grid', gap: 16, maxWidth: 660 }} aria-hidden="true">
      <Skeleton h={24} w="40%" />
      <Skeleton h={12} w="60%" />
      <Skeleton h={36} mt={16} />
      <Skeleton h={36} />
      <Skeleton h={36} w="70%" />
    </div>
  );
}
