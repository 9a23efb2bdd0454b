// Reads the part of an OpenAPI 3.1 document that the page shows; anything absent is left out, never an error.

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

interface Content {
  description?: string;
  required?: boolean;
  content?: Record<string, { schema?: Schema }>;
}

interface RawOperation {
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}

export interface OpenApi {
  info?: { title?: string; version?: string; description?: string };
  paths?: Record<string, Record<string, RawOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

export interface Field {
  /** Nested ones with dots, list elements with brackets: `conference._id`, `keys[].prefix`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

export interface ApiOperation {
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: (Field & { in: string })[];
  body: Field[];
  answers: { status: string; description: string; fields: Field[] }[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Levels of nested objects that are shown. */
const DEPTH = 4;

/** Our own notes on where a rule comes from are not for customers. */
const plain = (text: string | undefined): string =>
  (text ?? '')
    .replace(/\s*\([A-Z]{3,8}-\d+[^)]*\)/g, '')
    .replace(/\bSource: .*$/gm, '')
    .replace(/`/g, '')
    .trim();

/** Every operation in the document's order. */
export function readOperations(doc: OpenApi): ApiOperation[] {
  return Object.entries(doc.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => readOperation(doc, method, path, item[method] ?? {})),
  );
}

function readOperation(doc: OpenApi, method: string, path: string, raw: RawOperation): ApiOperation {
  return {
    method: method.toUpperCase(),
    path,
    summary: plain(raw.summary),
    description: plain(raw.description),
    parameters: (raw.parameters ?? []).map((one) => ({
      name: one.name,
      in: one.in,
      type: typeOf(doc, one.schema),
      required: one.required === true,
      description: plain(one.description),
    })),
    body: contentFields(doc, raw.requestBody),
    answers: Object.entries(raw.responses ?? {}).map(([status, answer]) => ({
      status,
      description: plain(answer.description),
      fields: contentFields(doc, answer),
    })),
  };
}

const contentFields = (doc: OpenApi, content: Content | undefined): Field[] =>
  fieldsOf(doc, content?.content?.['application/json']?.schema, '', DEPTH);

/** Follows references, and the one schema that is not `null` of a choice. */
function resolve(doc: OpenApi, schema: Schema | undefined, hops = 8): Schema {
  if (!schema || hops === 0) return {};
  if (schema.$ref) {
    const found = doc.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    return { ...resolve(doc, found, hops - 1), ...(schema.description && { description: schema.description }) };
  }
  const choice = (schema.oneOf ?? schema.anyOf)?.find((one) => one.type !== 'null');
  if (choice) return { description: schema.description, ...resolve(doc, choice, hops - 1) };
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => resolve(doc, one, hops - 1)), schema);
  return schema;
}

function typeOf(doc: OpenApi, schema: Schema | undefined): string {
  const { type, format, items, enum: words } = resolve(doc, schema);
  const name = (Array.isArray(type) ? type.filter((one) => one !== 'null') : [type ?? 'object']).join(' | ');
  if (words) return words.map(String).join(' | ');
  if (name === 'array') return `${typeOf(doc, items)}[]`;
  return format ? `${name} (${format})` : name;
}

function fieldsOf(doc: OpenApi, schema: Schema | undefined, prefix: string, depth: number): Field[] {
  const { properties = {}, required = [] } = resolve(doc, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = resolve(doc, property);
    const list = inner.items ? resolve(doc, inner.items) : null;
    const full = prefix + name;
    const field: Field = {
      name: full,
      type: typeOf(doc, property),
      required: required.includes(name),
      description: plain(property.description ?? inner.description),
    };
    const nested = list?.properties ? list : inner.properties ? inner : null;
    if (!nested || depth <= 1) return [field];
    return [field, ...fieldsOf(doc, nested, `${full}${list ? '[]' : ''}.`, depth - 1)];
  });
}

/** The call for a terminal, with a place for the key. */
export function curlExample(operation: ApiOperation, origin: string): string {
  const url = origin + operation.path;
  const lines = [`curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}'${url}'`];
  lines.push(`  -H 'Authorization: Bearer atl_…'`);
  const body = Object.fromEntries(
    operation.body.filter(({ name }) => !/[.[]/.test(name)).map(({ name, type }) => [name, sample(type)]),
  );
  if (operation.body.length > 0) {
    lines.push(`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body)}'`);
  }
  return lines.join(' \\\n');
}

function sample(type: string): unknown {
  if (type.startsWith('integer') || type.startsWith('number')) return 1;
  if (type.startsWith('boolean')) return true;
  if (type.endsWith('[]')) return [];
  return type === 'object' ? {} : '…';
}
