import { type T, useT } from '@/shared/i18n';
import { Tag } from '@/shared/ui/Tag';
import { type ApiOperation, curlExample, type Field } from '../openapi';
import classes from './ApiDoc.module.css';
import { CodeExample } from './CodeExample';

/** One call: what it takes, what it answers, how to try it. */
export function OperationCard({ operation, origin }: { operation: ApiOperation; origin: string }) {
  const t = useT();
  const { method, path, summary, description, parameters, body, answers } = operation;
  const example = curlExample(operation, origin);
  return (
    <article className={classes.card}>
      <header className={classes.head}>
        <Tag tone={method === 'GET' ? 'acc' : 'ok'}>{method}</Tag>
        <code>{path}</code>
      </header>
      {summary && <p>{summary}</p>}
      {description && description !== summary && <p className={classes.text}>{description}</p>}
      {parameters.length > 0 && (
        <>
          <h3>{t('apikeys.parameters')}</h3>
          <Fields fields={parameters.map((one) => ({ ...one, type: `${one.type}, ${place(t, one.in)}` }))} />
        </>
      )}
      {body.length > 0 && (
        <>
          <h3>{t('apikeys.body')}</h3>
          <Fields fields={body} />
        </>
      )}
      <h3>{t('apikeys.answers')}</h3>
      {answers.map(({ status, description: what, fields }) => (
        <div key={status} className={classes.answer}>
          <p>
            <Tag tone={status.startsWith('2') ? 'ok' : 'warn'}>{status}</Tag> {what}
          </p>
          <Fields fields={fields} />
        </div>
      ))}
      <CodeExample title={t('apikeys.example')} code={example} copy={t('apikeys.copyExample')} />
    </article>
  );
}

const place = (t: T, where: string) =>
  where === 'path' ? t('apikeys.inPath') : where === 'query' ? t('apikeys.inQuery') : t('apikeys.inHeader');

function Fields({ fields }: { fields: Field[] }) {
  const t = useT();
  if (fields.length === 0) return null;
  return (
    <dl className={classes.fields}>
      {fields.map(({ name, type, required, description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span className={classes.type}>
              {type}
              {required && `, ${t('apikeys.required')}`}
            </span>
            {description && <span>{description}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
