import { expect, it } from 'vitest';
import { curlExample, type OpenApi, readOperations } from './openapi';

const doc: OpenApi = {
  paths: {
    '/ext-api/v1/account': {
      get: {
        summary: 'The account behind the key',
        description: 'To try it out (KEY-3).\n\nErrors: 401. Source: KEY-6.',
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Account' } } },
          },
          401: {},
        },
      },
    },
    '/ext-api/v1/things/{id}': {
      post: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string', description: 'How it is called' },
                  size: { type: ['integer', 'null'] },
                  tags: { type: 'array', items: { type: 'string' } },
                  owner: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Owner' }] },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Account: {
        type: 'object',
        required: ['keys'],
        properties: { keys: { type: 'array', items: { $ref: '#/components/schemas/Key' } } },
      },
      Key: { type: 'object', properties: { prefix: { type: 'string' }, self: { $ref: '#/components/schemas/Key' } } },
      Owner: { type: 'object', properties: { kind: { type: 'string', enum: ['a', 'b'] } } },
    },
  },
};

it('reads operations with their parameters, bodies and answers', () => {
  const [account, thing] = readOperations(doc);
  expect(account).toMatchObject({ method: 'GET', path: '/ext-api/v1/account', summary: 'The account behind the key' });
  expect(account?.description).toBe('To try it out.\n\nErrors: 401.');
  const [ok, refused] = account?.answers ?? [];
  expect(ok?.fields[0]).toEqual({ name: 'keys', type: 'object[]', required: true, description: '' });
  expect(ok?.fields[1]?.name).toBe('keys[].prefix');
  expect(refused).toEqual({ status: '401', description: '', fields: [] });
  expect(thing?.parameters).toEqual([
    { name: 'id', in: 'path', type: 'string (uuid)', required: true, description: '' },
  ]);
  expect(thing?.body.map(({ name, type, required }) => [name, type, required])).toEqual([
    ['name', 'string', true],
    ['size', 'integer', false],
    ['tags', 'string[]', false],
    ['owner', 'object', false],
    ['owner.kind', 'a | b', false],
  ]);
});

it('ends although a schema holds itself, and takes a document without anything', () => {
  const names = readOperations(doc)[0]?.answers[0]?.fields.map(({ name }) => name) ?? [];
  expect(names.length).toBeLessThan(12);
  expect(readOperations({})).toEqual([]);
});

it('writes the call for a terminal', () => {
  const [account, thing] = readOperations(doc);
  if (!account || !thing) throw new Error('two operations');
  expect(curlExample(account, 'https://x.es')).toBe(
    "curl 'https://x.es/ext-api/v1/account' \\\n  -H 'Authorization: Bearer atl_…'",
  );
  expect(curlExample(thing, '')).toContain(`-d '{"name":"…","size":1,"tags":[],"owner":{}}'`);
  expect(curlExample(thing, '')).toContain('-X POST');
});
