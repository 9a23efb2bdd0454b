import { Button, Modal, useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type T, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { pictureOf, SLIDES, type Slide } from '../slides';
import { Film } from './Film';
import classes from './NewsDialog.module.css';

interface NewsDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Eleven slides over a static backdrop. The close button is only on the last one, the cross on all. */
export function NewsDialog({ opened, onClose }: NewsDialogProps) {
  const t = useT();
  const [at, setAt] = useState(0);
  const next = useRef<HTMLButtonElement>(null);
  const last = SLIDES.length - 1;
  const slide = SLIDES[at] ?? SLIDES[0];
  useEffect(() => {
    if (opened) setAt(0);
  }, [opened]);
  const go = (step: 1 | -1) => setAt((now) => Math.min(last, Math.max(0, now + step)));
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] as 1 | -1 | undefined;
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(step);
    // The button that had the focus may be gone on the first and the last slide.
    next.current?.focus({ preventScroll: true });
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      size={960}
      title={t('news.title')}
      classNames={{ inner: classes.inner, content: classes.content, body: classes.body }}
      onKeyDown={onKey}
      transitionProps={{ duration: 180 }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a carousel is a group of slides, no fieldset of a form. */}
      <div role="group" aria-roledescription="carousel" aria-label={t('news.slides', { total: SLIDES.length })}>
        <div key={slide.name} className={classes.slide}>
          <Picture slide={slide} />
          <div className={classes.words} aria-live="polite">
            <h3>{titleOf(t, slide)}</h3>
            <p>{textOf(t, slide)}</p>
            {slide.footer && (
              <p className={classes.footer}>
                <Icon name="info" size={16} />
                {footerOf(t, slide)}
              </p>
            )}
          </div>
        </div>
      </div>
      <Ahead at={at} />
      <div className={classes.foot}>
        <span className={`${classes.counter} num`}>{t('news.counter', { n: at + 1, total: SLIDES.length })}</span>
        <span className={classes.keys}>{t('news.keys')}</span>
        <Button
          variant="default"
          disabled={at === 0}
          leftSection={<Icon name="left" size={16} />}
          onClick={() => {
            go(-1);
            if (at === 1) next.current?.focus({ preventScroll: true });
          }}
        >
          {t('common.previous')}
        </Button>
        {at < last ? (
          <Button ref={next} data-autofocus rightSection={<Icon name="right" size={16} />} onClick={() => go(1)}>
            {t('common.next')}
          </Button>
        ) : (
          <Button ref={next} onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </div>
      <div className={classes.progress} aria-hidden="true">
        {SLIDES.map(({ name }, index) => (
          <i key={name} data-past={index <= at || undefined} />
        ))}
      </div>
    </Modal>
  );
}

function Picture({ slide }: { slide: Slide }) {
  const t = useT();
  const scheme = useComputedColorScheme('dark');
  return (
    <div className={classes.picture}>
      <Film slide={slide} scheme={scheme} alt={altOf(t, slide)} />
    </div>
  );
}

/** The next picture is fetched while this one is looked at. */
function Ahead({ at }: { at: number }) {
  const scheme = useComputedColorScheme('dark');
  const following = SLIDES[at + 1];
  const url = following && pictureOf(following, scheme);
  useEffect(() => {
    if (url) new Image().src = url;
  }, [url]);
  return null;
}

// The keys are made of the slide's name; `news.test.tsx` proves that every one exists.
const say = (t: T, slide: Slide, part: string) => (t as (key: string) => string)(`news.${slide.name}${part}`);
const titleOf = (t: T, slide: Slide) => say(t, slide, 'Title');
const textOf = (t: T, slide: Slide) => say(t, slide, 'Text');
const footerOf = (t: T, slide: Slide) => say(t, slide, 'Footer');
const altOf = (t: T, slide: Slide) => say(t, slide, 'Alt');
