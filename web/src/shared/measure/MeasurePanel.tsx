import { Anchor, Button, Select } from '@mantine/core';
import { useLanguage, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { SHAPES_MAX, turned, valueText, withCorner, withoutCorner, withoutShape, withShape } from './draft';
import classes from './measure.module.css';
import { REFERENCE_NAMES, type Reference } from './references';
import type { Measuring } from './use-measuring';

interface MeasurePanelProps {
  measuring: Measuring;
  onClose: () => void;
}

function Warning({ children }: { children: string }) {
  return (
    <p className={classes.warning}>
      <Icon name="warn" size={16} />
      <span>{children}</span>
    </p>
  );
}

/** The list of what is measured, each with its band. */
function Values({ measuring }: { measuring: Measuring }) {
  const t = useT();
  const language = useLanguage();
  const { draft, told, change, frame } = measuring;
  if (!draft || !told || told.shapes.length === 0) return null;
  return (
    <ol className={classes.values} aria-label={t('media.measureList')}>
      {told.shapes.map(({ shape, value, problem, rough }, n) => (
        <li key={shape.id}>
          <span className={classes.value}>
            <span>{t(`media.measureKind_${shape.kind}`)}</span>
            <b className="num">{value ? valueText(shape.kind, value, language) : '—'}</b>
            {problem && <span className={classes.problem}>{t(`media.measureProblem_${problem}`)}</span>}
            {rough && <span className={classes.problem}>{t('media.measureRough')}</span>}
          </span>
          {shape.kind === 'area' && (
            <>
              <IconAction
                icon="plus"
                size={28}
                label={t('media.measureCornerAdd', { n: n + 1 })}
                onClick={() => change(withCorner(draft, shape.id, frame))}
              />
              <IconAction
                icon="minus"
                size={28}
                label={t('media.measureCornerRemove', { n: n + 1 })}
                disabled={shape.points.length <= 3}
                onClick={() => change(withoutCorner(draft, shape.id))}
              />
            </>
          )}
          <IconAction
            icon="trash"
            size={28}
            label={t('media.measureRemove', { n: n + 1 })}
            onClick={() => change(withoutShape(draft, shape.id))}
          />
        </li>
      ))}
    </ol>
  );
}

/** The reference, its corners, lengths and areas, and what to know of them. */
export function MeasurePanel({ measuring, onClose }: MeasurePanelProps) {
  const t = useT();
  const language = useLanguage();
  const { draft, told, search, change } = measuring;
  const full = (draft?.shapes.length ?? 0) >= SHAPES_MAX;
  return (
    <div className={classes.panel}>
      <div className={classes.scroll}>
        <h2>{t('media.measureTitle')}</h2>
        <Select
          label={t('media.measureReference')}
          data={REFERENCE_NAMES.map((value) => ({ value, label: t(`media.measureReference_${value}`) }))}
          value={measuring.reference}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(value) => value && measuring.choose(value as Reference)}
        />
        {measuring.reference === 'marker' && (
          <Anchor href={`/api/v1/measure-marker?language=${language}`} target="_blank" rel="noopener" fz="sm">
            {t('media.measureMarkerPrint')}
          </Anchor>
        )}
        <div className={classes.row}>
          <Button
            leftSection={<Icon name="zoom" size={16} />}
            loading={search === 'looking'}
            onClick={() => void measuring.look()}
          >
            {t('media.measureFind')}
          </Button>
          <Button variant="default" disabled={search === 'looking'} onClick={measuring.byHand}>
            {t('media.measureByHand')}
          </Button>
        </div>
        <div role="status" className={classes.hint}>
          {search === 'looking' && t('media.measureLooking')}
          {search === 'none' && t('media.measureNone')}
          {search === 'failed' && t('media.measureFailed')}
          {search === 'idle' && !draft && t('media.measureStart')}
          {search === 'idle' && draft && (draft.found ? t('media.measureFound') : t('media.measureAdjust'))}
        </div>
        {draft && (
          <>
            <div className={classes.row}>
              <Button variant="default" disabled={full} onClick={() => change(withShape(draft, 'length'))}>
                {t('media.measureAdd_length')}
              </Button>
              <Button variant="default" disabled={full} onClick={() => change(withShape(draft, 'area'))}>
                {t('media.measureAdd_area')}
              </Button>
              {measuring.reference !== 'marker' && (
                <IconAction icon="rotate" label={t('media.measureTurn')} onClick={() => change(turned(draft))} />
              )}
            </div>
            <Values measuring={measuring} />
            {told && !told.valid && <Warning>{t('media.measureNoRectangle')}</Warning>}
            {told?.wide && <Warning>{t('media.measureWide')}</Warning>}
            <p className={classes.hint}>{t('media.measurePlaneNote')}</p>
            <p className={classes.hint}>{t('media.measureKeys')}</p>
          </>
        )}
      </div>
      <div className={classes.foot}>
        <DialogButtons
          onCancel={onClose}
          go={t('common.save')}
          onGo={measuring.save}
          busy={measuring.saving}
          disabled={!measuring.canSave}
          note={
            draft && (
              <Button variant="subtle" onClick={measuring.clear}>
                {t('media.measureClear')}
              </Button>
            )
          }
        />
      </div>
    </div>
  );
}
