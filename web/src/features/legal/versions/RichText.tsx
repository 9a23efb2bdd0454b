import { ActionIcon, Input, Tooltip } from '@mantine/core';
import { type ClipboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useT } from '@/shared/i18n';
import { paragraphs } from '@/shared/lib/markup';
import legal from '@/shared/terms/LegalModal.module.css';
import { Icon, type IconName } from '@/shared/ui/Icon';
import classes from './legals.module.css';
import { legalMarkup, legalNodes } from './markup';
import { pasteWords } from './paste';

interface RichTextProps {
  label: string;
  description: string;
  /** Language of the words, for spelling and voices. */
  lang: string;
  value: string;
  error?: ReactNode;
  onChange: (html: string) => void;
}

/**
 * A legal text written where it looks as its readers will see it. What browsers put in besides words and structure is
 * taken out of each change; pasted text comes without its looks.
 */
export function RichText({ label, description, lang, value, error, onChange }: RichTextProps) {
  const id = useId();
  const area = useRef<HTMLDivElement>(null);
  /** What this editor last told; anything else came from outside and is shown. */
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (!area.current || told.current === value) return;
    told.current = value;
    area.current.replaceChildren(...legalNodes(paragraphs(value)));
  }, [value]);
  const tell = () => {
    if (!area.current) return;
    const html = legalMarkup(area.current.innerHTML);
    // An emptied area keeps a line break.
    told.current = area.current.textContent?.trim() ? html : '';
    onChange(told.current);
  };
  const run = (command: string, argument?: string) => {
    area.current?.focus();
    document.execCommand('defaultParagraphSeparator', false, 'p');
    document.execCommand(command, false, argument);
    tell();
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    const words = event.clipboardData.getData('text/plain');
    if (area.current && /\n\s*\n/.test(words)) pasteWords(area.current, words);
    else document.execCommand('insertText', false, words);
    tell();
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
    >
      <div className={classes.rich} data-error={error ? true : undefined}>
        <Tools onRun={run} />
        {/* biome-ignore lint/a11y/useSemanticElements: no field of HTML holds headings and lists */}
        <div
          ref={area}
          id={id}
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          contentEditable
          suppressContentEditableWarning
          lang={lang}
          className={`${legal.text} ${classes.area}`}
          onFocus={() => document.execCommand('defaultParagraphSeparator', false, 'p')}
          onInput={tell}
          onPaste={paste}
        />
      </div>
    </Input.Wrapper>
  );
}

function Tools({ onRun }: { onRun: (command: string, argument?: string) => void }) {
  const t = useT();
  const tools: [string, ReactNode, string, string?][] = [
    [t('legal.heading'), 'H', 'formatBlock', 'h3'],
    [t('legal.paragraph'), '¶', 'formatBlock', 'p'],
    [t('legal.bold'), <b key="b">B</b>, 'bold'],
    [t('legal.italic'), <i key="i">I</i>, 'italic'],
    [t('legal.list'), 'list', 'insertUnorderedList'],
    [t('legal.numbered'), '1.', 'insertOrderedList'],
  ];
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('legal.tools')}>
      {tools.map(([name, sign, command, argument]) => (
        <Tooltip key={name} label={name}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={name}
            // The words that are marked stay marked.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onRun(command, argument)}
          >
            {sign === 'list' ? <Icon name={sign as IconName} size={16} /> : sign}
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
