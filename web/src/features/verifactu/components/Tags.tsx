import { useT } from '@/shared/i18n';
import { Tag } from '@/shared/ui/Tag';
import { type Mode, modeLook, type RecordState, stateLook } from '../model';

export function ModeTag({ mode }: { mode: Mode }) {
  const t = useT();
  const { tone, icon } = modeLook[mode];
  return (
    <Tag tone={tone} icon={icon}>
      {t(`verifactu.mode_${mode}`)}
    </Tag>
  );
}

/** Where a record stands with the tax agency. */
export function RecordTag({ state }: { state: RecordState }) {
  const t = useT();
  const { tone, icon } = stateLook[state];
  return (
    <Tag tone={tone} icon={icon}>
      {t(`verifactu.st_${state}`)}
    </Tag>
  );
}
