// The endpoints that receive events, and the keys that sign them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEnvReader, type Env } from '../../src/config/env-reader.ts';
import { readWebhooks } from '../../src/config/read-webhooks.ts';

const keyOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

function read(env: Env) {
  const reader = createEnvReader(env, () => assert.fail());
  return { ...readWebhooks(reader).webhooks, problems: reader.problems.map(({ name }) => name) };
}

describe('the endpoints of webhooks', () => {
  it('each URL is one endpoint, whose id follows from the URL and does not show it', () => {
    const { endpoints, problems } = read({
      WEBHOOK_URL: 'https://a.example.com/x  http://b.example.com https://a.example.com/x',
      WEBHOOK_SECRET: keyOf(32),
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      endpoints.map(({ url }) => url),
      ['https://a.example.com/x', 'http://b.example.com/'],
    );
    assert.ok(endpoints.every(({ id }) => /^[\w-]{8}$/.test(id)));
    assert.equal(new Set(endpoints.map(({ id }) => id)).size, 2);
    const again = read({ WEBHOOK_URL: 'https://a.example.com/x', WEBHOOK_SECRET: keyOf(32) });
    assert.equal(again.endpoints[0]?.id, endpoints[0]?.id);
  });

  for (const url of [
    'app.example.com',
    'ftp://app.example.com',
    'https://ann@app.example.com',
    'https://:pw@app.example.com',
    'https://app.example.com nonsense',
  ]) {
    it(`${url} is refused`, () =>
      assert.deepEqual(read({ WEBHOOK_URL: url, WEBHOOK_SECRET: keyOf(32) }).problems, ['WEBHOOK_URL']));
  }

  it('need a key, and a key alone needs none of them', () => {
    assert.deepEqual(read({ WEBHOOK_URL: 'https://app.example.com' }).problems, ['WEBHOOK_SECRET']);
    assert.deepEqual(read({ WEBHOOK_SECRET: keyOf(32) }).problems, []);
    assert.deepEqual(read({}), { endpoints: [], secrets: [], problems: [] });
  });

  it('with a key file that cannot be read, only that is reported', () =>
    assert.deepEqual(read({ WEBHOOK_URL: 'https://app.example.com', WEBHOOK_SECRET_FILE: '/x' }).problems, [
      'WEBHOOK_SECRET_FILE',
    ]));
});

describe('the keys of webhooks', () => {
  for (const [text, count] of [
    [keyOf(24), 1],
    [keyOf(64), 1],
    [`${keyOf(24)} ${keyOf(32)}`, 2],
    [keyOf(23), undefined],
    [keyOf(65), undefined],
    ['whsec_', undefined],
    [keyOf(32).slice(6), undefined],
    [keyOf(32).slice(0, -1), undefined],
    [`${keyOf(32)} short`, undefined],
  ] as const) {
    it(`${text.slice(0, 60)} of ${text.length} characters ${count === undefined ? 'is refused' : `are ${count}`}`, () => {
      const { secrets, problems } = read({ WEBHOOK_SECRET: text });
      assert.equal(secrets.length, count ?? 0);
      assert.deepEqual(problems, count === undefined ? ['WEBHOOK_SECRET'] : []);
    });
  }
});
