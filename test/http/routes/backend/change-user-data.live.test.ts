// PATCH /api/service/users/{id}: the largest data that is allowed is stored in every encoding of JSON, and nothing beyond it is read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { largestUserDataBody, longestExternalId } from '../../../../src/backend/user-data.ts';
import { formatBytes } from '../../../../src/kernel/text/format-bytes.ts';
import { createWholeKey } from '../../../helpers/people/service-keys.ts';
import { enter, me } from '../../../helpers/people/users.ts';
import { call, readEnvelope } from '../../../helpers/requests/api.ts';
import { setStage } from '../../../helpers/services/stage.ts';

/** Every letter of every text and name as an escape, which is the longest way to write it. */
function escapeAll(value: unknown): string {
  if (typeof value === 'string') {
    const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, '0'));
    return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
  }
  if (Array.isArray(value)) return `[${value.map(escapeAll).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, part]) => `${escapeAll(name)}:${escapeAll(part)}`)}}`;
}

/** Of so many bytes as compact JSON. */
const flat = (bytes: number) => ({ n: 'x'.repeat(bytes - '{"n":""}'.length) });

/** A list of numbers in all eight levels: indented, it grows more than a text with escapes. */
function deep(bytes: number): unknown {
  const [before, after] = [`{"a":${'['.repeat(7)}11`, `${']'.repeat(7)}}`];
  return JSON.parse(`${before}${',1'.repeat((bytes - before.length - after.length) / 2)}${after}`);
}

const of = (data: (bytes: number) => unknown) => ({
  externalId: '😀'.repeat(longestExternalId),
  claims: data(1024),
  metadata: { public: data(4096), private: data(4096) },
});

const stage = setStage('sqlite');

it('the largest data is stored in every encoding; more data and a larger body are refused', async () => {
  const key = await createWholeKey(stage);
  const { JWT } = await enter(stage.url);
  const path = `/api/service/users/${(await me(stage.url, JWT)).body.data.id}`;
  const patch = async (body: string) => {
    const headers = { authorization: `Bearer ${key.text}`, 'content-type': 'application/json' };
    const response = await fetch(`${stage.url}${path}`, { method: 'PATCH', headers, body });
    return { status: response.status, ...readEnvelope(await response.text()) };
  };
  const bodies = { escaped: escapeAll(of(flat)), indented: JSON.stringify(of(deep), null, 2) };
  for (const [what, body] of Object.entries(bodies)) {
    assert.ok(body.length > 3 * 16_384 && Buffer.byteLength(body) < largestUserDataBody, `${what}: ${body.length}`);
    const { status, data } = await patch(body);
    const { externalId, claims, metadata } = data ?? {};
    assert.deepEqual({ status, externalId, claims, metadata }, { status: 200, ...JSON.parse(body) }, what);
  }
  assert.equal((await patch(bodies.escaped.padEnd(largestUserDataBody))).status, 200);
  const over = await patch(bodies.escaped.padEnd(largestUserDataBody + 1));
  assert.deepEqual([over.status, over.codeError], [413, 'BODY_TOO_LARGE']);
  const limit = formatBytes(largestUserDataBody);
  assert.match(over.message, new RegExp(limit));
  const document = new URL('../../../../docs/back-end.md', import.meta.url);
  assert.match(readFileSync(document, 'utf8'), new RegExp(`the body may have ${limit}`));
  for (const [field, limit, given] of [
    ['claims', '1 KiB', { claims: flat(1025) }],
    ['metadata.public', '4 KiB', { metadata: { public: flat(4097) } }],
    ['metadata.private', '4 KiB', { metadata: { private: flat(4097) } }],
  ] as const) {
    const refused = await patch(escapeAll(given));
    assert.deepEqual([refused.status, refused.codeError], [422, 'USER_DATA_TOO_LARGE'], field);
    assert.ok(refused.message.includes(`“${field}”`) && refused.message.includes(limit), refused.message);
  }
  const other = await call(stage.url, 'POST', '/api/service/users/find', {
    token: key.text,
    body: { phone: 'x'.repeat(16_384) },
  });
  assert.deepEqual([other.status, other.body.codeError], [413, 'BODY_TOO_LARGE']);
  assert.match(other.body.message, /16 KiB/);
});
