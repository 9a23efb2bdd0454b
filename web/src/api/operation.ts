import { request } from './client';
import type { paths } from './generated/schema';

type Method = 'get' | 'post' | 'put' | 'delete';
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Success<R> = R extends Record<number, unknown> ? JsonOf<R[keyof R & (200 | 201 | 202 | 204)]> : never;
type NullableKey<T> = { [K in keyof T]-?: null extends T[K] ? K : never }[keyof T];
/** An answer as it is written: what may be `null` is there, while the document calls such a field optional. */
export type Written<T> = T extends readonly (infer I)[]
  ? Written<I>[]
  : T extends object
    ? { [K in NullableKey<T>]-?: Written<Exclude<T[K], undefined>> } & {
        [K in keyof Omit<T, NullableKey<T>>]: Written<T[K]>;
      }
    : T;
type Answer<O> = O extends { responses: infer R } ? Written<Success<R>> : never;
type Body<O> = O extends { requestBody?: infer B } ? JsonOf<NonNullable<B>> : undefined;
type PathOf<O> = O extends { parameters: { path: infer P } } ? P : undefined;
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Q : undefined;

type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P] ? paths[P][M] : never;

interface Given<O> {
  path?: PathOf<O>;
  query?: QueryOf<O>;
  body?: Partial<Body<O>>;
  signal?: AbortSignal;
  anonymous?: boolean;
  /** Beyond those of every call, such as another bearer than the session's. */
  headers?: Record<string, string>;
  /** Goes on although the page is left. */
  keepalive?: boolean;
}

/** Fills `{name}` places of a path, each value encoded. */
function filled(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_place, name: string) => encodeURIComponent(values[name] ?? ''));
}

/**
 * One call of the OpenAPI document, with path, body and answer typed by it (`make gen`): a call that the server does
 * not have does not compile. Absent body fields are left out. Throws `ApiError`.
 */
export async function operation<M extends Method, P extends PathsWith<M>>(
  method: M,
  template: P,
  given: Given<Operation<P, M>> = {},
): Promise<Answer<Operation<P, M>>> {
  const values = (given.path ?? {}) as Record<string, string>;
  const query = Object.entries((given.query ?? {}) as Record<string, unknown>).filter(([, value]) => value != null);
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString();
  const path = filled(template as string, values) + (search && `?${search}`);
  const { body, signal, anonymous, headers, keepalive } = given;
  return request(method.toUpperCase(), path, { body, signal, anonymous, headers, keepalive });
}
