// A conference from opening to reading, with Node's own fetch. Needs ATALAYA_URL and ATALAYA_KEY.
import { randomUUID } from 'node:crypto'

const base = `${required('ATALAYA_URL').replace(/\/$/, '')}/ext-api/v1/`
const key = required('ATALAYA_KEY')
const hook = process.env.ATALAYA_HOOK ?? 'https://example.com/atalaya'

function required(name) {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

/** Answers the body; throws with the problem's code and fields (RFC 9457). */
async function call(method, path, body, headers = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await answer.text()
  const data = text ? JSON.parse(text) : null
  if (answer.ok) return data
  const fields = (data.errors ?? []).map((one) => `${one.field}: ${one.message}`).join(', ')
  throw Object.assign(new Error(`${data.code}: ${data.detail} ${fields}`.trim()), { code: data.code })
}

const { company } = await call('GET', 'account')
console.log('account:', company.company)
const name = `example-${randomUUID()}`
const body = {
  expedientNumber: 'EJEMPLO-3',
  contactPerson: 'Ana',
  phoneNumber: '+34600123456',
  type: 2,
  send: 'none',
  externalId: name,
}
const { conference } = await call('POST', 'conferences', body, { 'Idempotency-Key': name })
console.log('opened:', conference._id, conference.link)
const again = await call('POST', 'conferences', body, { 'Idempotency-Key': name })
if (again.conference._id !== conference._id) throw new Error('the same call opened another conference')
const read = await call('GET', `conferences/${conference._id}`)
console.log('status:', read.conference.status)
const found = await call('GET', `conferences?externalId=${encodeURIComponent(name)}`)
if (found.total !== 1) throw new Error('it is not listed')
const { media } = await call('GET', `conferences/${conference._id}/media`)
console.log('files:', media.length)
await call('POST', 'conferences', { ...body, phoneNumber: '12' }).catch((error) => console.log('refused:', error.message))
try {
  const { webhook } = await call('POST', 'webhooks', { url: hook, events: ['conference.closed'] })
  console.log('webhook:', webhook._id)
  await call('DELETE', `webhooks/${webhook._id}`)
} catch (error) {
  console.log('webhook not added:', error.message)
}
console.log('done')
