import { Button, FileButton, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@/api/errors';
import { codeText, errorText, type T, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { simulate } from '../api';
import { SAMPLE_FILE } from '../examples';
import classes from './prices.module.css';
import { SimulationResult } from './SimulationResult';

/** Bytes that the server takes (plan contract `price-simulate`). */
const FILE_MAX = 1024 * 1024;

/** What is wrong with a file, naming the examples. */
function failureText(t: T, error: unknown): string {
  if (!(error instanceof ApiError) || error.errors.length === 0) return errorText(t, error);
  return error.errors
    .map(({ field, code, message }) => `${field}: ${message || (codeText(t, code) ?? code)}`)
    .join(' · ');
}

/** The same calculation for a whole file of examples, in the format of `atalaya billing simulate`. */
export function FileCalculator() {
  const t = useT();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const calculating = useMutation({ mutationFn: (file: unknown) => simulate(file) });
  const calculate = () => {
    setWrong(null);
    if (new Blob([text]).size > FILE_MAX) return setWrong(t('prices.fileTooLarge'));
    try {
      calculating.mutate(JSON.parse(text));
    } catch {
      setWrong(t('prices.fileNoJson'));
    }
  };
  const take = async (file: File | null) => {
    if (!file) return;
    setWrong(file.size > FILE_MAX ? t('prices.fileTooLarge') : null);
    if (file.size <= FILE_MAX) setText(await file.text());
  };
  return (
    <div className={classes.editor}>
      <div className={classes.fields}>
        <p className={classes.lead}>{t('prices.fileLead')}</p>
        <div className={classes.examples}>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="copy" size={16} />}
            onClick={() => {
              setWrong(null);
              setText(JSON.stringify(SAMPLE_FILE, null, 2));
            }}
          >
            {t('prices.fileSample')}
          </Button>
          <FileButton accept=".json,application/json" onChange={(file) => void take(file)}>
            {(props) => (
              <Button {...props} variant="default" size="xs" leftSection={<Icon name="ul" size={16} />}>
                {t('prices.fileOpen')}
              </Button>
            )}
          </FileButton>
        </div>
        <Textarea
          label={t('prices.file')}
          classNames={{ input: classes.code }}
          autosize
          minRows={12}
          maxRows={24}
          spellCheck={false}
          value={text}
          error={wrong}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div>
          <Button loading={calculating.isPending} disabled={!text.trim()} onClick={calculate}>
            {t('prices.calculate')}
          </Button>
        </div>
      </div>
      <section className={classes.preview} aria-label={t('prices.result')} aria-live="polite">
        <h2>{t('prices.result')}</h2>
        {calculating.error ? (
          <Note tone="bad" icon="warn" title={t('prices.calculateFailed')} text={failureText(t, calculating.error)} />
        ) : calculating.data ? (
          calculating.data.map((one, place) => (
            // Names of a file need not differ.
            <SimulationResult key={`${place} ${one.name}`} simulated={one} minuteLimit={null} titled />
          ))
        ) : (
          <p className={classes.quiet}>{t('prices.resultEmpty')}</p>
        )}
      </section>
    </div>
  );
}
