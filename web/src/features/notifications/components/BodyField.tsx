import { Textarea } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useT } from '@/shared/i18n';
import type { IconName } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { decorated, type Tool } from '../general';
import classes from './General.module.css';

interface BodyFieldProps {
  label: ReactNode;
  value: string;
  error?: string;
  onChange: (body: string) => void;
  onBlur: () => void;
}

/** Words or html, with the usual markup one press away. */
export function BodyField({ label, value, error, onChange, onBlur }: BodyFieldProps) {
  const t = useT();
  const area = useRef<HTMLTextAreaElement>(null);
  const use = (tool: Tool) => {
    const field = area.current;
    if (!field) return;
    const next = decorated(value, field.selectionStart, field.selectionEnd, tool);
    onChange(next.body);
    // After the new text is in the field.
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(next.from, next.to);
    });
  };
  const tools: [Tool, IconName, string][] = [
    ['heading', 'hash', t('notifications.heading')],
    ['bold', 'bolt', t('notifications.bold')],
    ['bullets', 'list', t('notifications.bullets')],
    ['link', 'link', t('notifications.linkTool')],
  ];
  return (
    <div className={classes.body}>
      <div className={classes.tools} role="toolbar" aria-label={t('notifications.tools')}>
        {tools.map(([tool, icon, name]) => (
          <IconAction key={tool} icon={icon} label={name} size={28} onClick={() => use(tool)} />
        ))}
      </div>
      <Textarea
        ref={area}
        label={label}
        description={t('notifications.bodyHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={6}
        maxRows={14}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
      />
    </div>
  );
}
