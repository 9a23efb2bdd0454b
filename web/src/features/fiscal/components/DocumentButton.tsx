import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText, useT } from '@/shared/i18n';
import { openFile } from '@/shared/lib/open-file';
import { Icon } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import { documentPath } from '../api';
import type { FiscalRequest } from '../types';

/** Opens the document of a request in a tab of its own. */
export function DocumentButton({ request }: { request: FiscalRequest }) {
  const t = useT();
  const { document } = request;
  const opening = useMutation({
    mutationFn: (name: string) => openFile(documentPath(request._id), name),
    onError: (error) => toast.error({ title: t('fiscal.documentFailed'), text: errorText(t, error) }),
  });
  if (!document) return null;
  return (
    <Button
      variant="default"
      loading={opening.isPending}
      leftSection={<Icon name="doc" size={16} />}
      onClick={() => opening.mutate(document.name)}
    >
      {t('fiscal.openDocument')}
    </Button>
  );
}
