import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { type DiffBlock, legalDiff } from '../api';
import { folded } from '../terms';
import classes from './TextDiff.module.css';

interface TextDiffProps {
  from: string;
  to: string;
}

/** What changed between two versions of a text; what stayed is folded away. */
export function TextDiff({ from, to }: TextDiffProps) {
  const t = useT();
  const { data, error, refetch } = useQuery(legalDiff(from, to));
  if (error && !data) {
    return <LoadFailed title={t('legal.diffFailed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton h={200} />;
  if (data.every(({ kind }) => kind === 'same')) return <p className={classes.none}>{t('legal.diffNone')}</p>;
  return (
    <div className={classes.root}>
      {folded(data).map((piece) =>
        'skipped' in piece ? (
          <Skipped key={piece.key} blocks={piece.skipped} />
        ) : (
          <Block key={piece.key} block={piece.block} />
        ),
      )}
    </div>
  );
}

function Skipped({ blocks }: { blocks: DiffBlock[] }) {
  const t = useT();
  const [shown, setShown] = useState(false);
  // Blocks of one text have no other name than their place.
  if (shown) return blocks.map((block, place) => <Block key={`${place} ${block.text.slice(0, 20)}`} block={block} />);
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      className={classes.skipped}
      leftSection={<Icon name="dots" size={16} />}
      onClick={() => setShown(true)}
    >
      {t('legal.diffSkipped', { count: blocks.length })}
    </Button>
  );
}

function Block({ block: { kind, text, parts = [] } }: { block: DiffBlock }) {
  const t = useT();
  const words = {
    same: null,
    added: t('legal.diffAdded'),
    removed: t('legal.diffRemoved'),
    changed: t('legal.diffChanged'),
  }[kind];
  return (
    <div className={classes.block} data-kind={kind}>
      {words && <span className={classes.mark}>{words}</span>}
      {kind === 'changed' && parts.length > 0 ? (
        <p>
          {parts.map((part, place) => {
            const key = `${place} ${part.kind}`;
            if (part.kind === 'added') return <ins key={key}>{part.text}</ins>;
            if (part.kind === 'removed') return <del key={key}>{part.text}</del>;
            return <span key={key}>{part.text}</span>;
          })}
        </p>
      ) : kind === 'added' ? (
        <p>
          <ins>{text}</ins>
        </p>
      ) : kind === 'removed' ? (
        <p>
          <del>{text}</del>
        </p>
      ) : (
        <p>{text}</p>
      )}
    </div>
  );
}
