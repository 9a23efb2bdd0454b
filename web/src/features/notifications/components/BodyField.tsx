import { ActionIcon, Textarea, Tooltip } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
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
  // The first two stand for themselves, as in every editor of texts.
  const tools: [Tool, ReactNode, string][] = [
    ['heading', <b key="h">T</b>, t('notifications.heading')],
    ['bold', <b key="b">N</b>, t('notifications.bold')],
    ['bullets', <Icon key="l" name="list" size={16} />, t('notifications.bullets')],
    ['link', <Icon key="a" name="link" size={16} />, t('notifications.linkTool')],
  ];
  return (
    <div className={classes.body}>
      <div className={classes.tools} role="toolbar" aria-label={t('notifications.tools')}>
        {tools.map(([tool, sign, name]) => (
          <Tooltip key={tool} label={name}>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={name} onClick={() => use(tool)}>
              {sign}
            </ActionIcon>
          </Tooltip>
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
