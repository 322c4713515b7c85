// Webhooks that the client of back ends accepts: signed as the standard says, with one of its secrets, within five minutes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyWebhook } from '../../client/src/verify-webhook.ts';
import { newSigningKey, signWebhook } from '../helpers/people/webhook-receiver.ts';

const secret = newSigningKey();
const event = { id: 'e1', type: 'user.created', version: 1, timestamp: '', data: { userId: 'ü' } };
const body = JSON.stringify(event);
const noon = Date.UTC(2026, 10, 16, 12);
const now = () => noon;
const headers = signWebhook(secret, 'e1', body, new Date(noon));
const invalid = { name: 'GatehouseError', code: 'REQUEST_INVALID', status: 400 };

describe('a webhook', () => {
  it('a webhook is accepted as text and as bytes, with headers of Node and of fetch', async () => {
    assert.deepEqual(await verifyWebhook(headers, body, { secret, now }), event);
    assert.deepEqual(await verifyWebhook(new Headers(headers), Buffer.from(body), { secret, now }), event);
  });

  it('a webhook is accepted with either of two secrets, and with either of two signatures', async () => {
    const other = newSigningKey();
    assert.deepEqual(await verifyWebhook(headers, body, { secret: `${other} ${secret}`, now }), event);
    const { 'webhook-signature': more = '' } = signWebhook(other, 'e1', body, new Date(noon));
    const both = { ...headers, 'webhook-signature': `${more} ${headers['webhook-signature']}` };
    assert.deepEqual(await verifyWebhook(both, body, { secret, now }), event);
  });

  for (const [what, changes, text, time] of [
    ['another body', {}, body.replace('created', 'deleted'), noon],
    ['another id', { 'webhook-id': 'e2' }, body, noon],
    ['another time', { 'webhook-timestamp': String(noon / 1000 + 1) }, body, noon],
    ['no signature', { 'webhook-signature': '' }, body, noon],
    ['a signature that is no base64', { 'webhook-signature': 'v1,***' }, body, noon],
    [
      'a signature of another version',
      { 'webhook-signature': headers['webhook-signature']?.replace('v1', 'v2') },
      body,
      noon,
    ],
    ['no id', { 'webhook-id': undefined }, body, noon],
    ['no time', { 'webhook-timestamp': undefined }, body, noon],
    ['a time that is no number', { 'webhook-timestamp': 'now' }, body, noon],
    ['a time that is too long ago', {}, body, noon + 300_000],
    ['a time that is too far ahead', {}, body, noon - 300_000],
  ] as const) {
    it(`a webhook with ${what} is refused`, async () => {
      await assert.rejects(verifyWebhook({ ...headers, ...changes }, text, { secret, now: () => time }), invalid);
    });
  }

  it('many signatures cost no more than one', async (context) => {
    const { subtle } = crypto;
    const counts = [context.mock.method(subtle, 'sign'), context.mock.method(subtle, 'verify')];
    const many = Array(300).fill(signWebhook(newSigningKey(), 'e1', body, new Date(noon))['webhook-signature']);
    await assert.rejects(
      verifyWebhook({ ...headers, 'webhook-signature': many.join(' ') }, body, { secret, now }),
      invalid,
    );
    assert.ok(counts.reduce((sum, { mock }) => sum + mock.callCount(), 0) <= 1);
  });

  it('a webhook of another secret is refused, and a malformed secret is an error of the app', async () => {
    await assert.rejects(verifyWebhook(headers, body, { secret: newSigningKey(), now }), invalid);
    for (const none of [undefined, '', 'whsec_', 'whsec_***'])
      await assert.rejects(verifyWebhook(headers, body, { secret: none, now }), {
        name: 'TypeError',
        message: 'verifyWebhook needs the secret: whsec_<base64>',
      });
  });

  it('a body that was parsed before is an error of the app, which says what to do', async () => {
    await assert.rejects(verifyWebhook(headers, event as unknown as string, { secret, now }), {
      name: 'TypeError',
      message: /do not parse it before/,
    });
  });

  it('headers of another class than that of Node are read', async () => {
    const foreign = { get: (name: string) => headers[name as keyof typeof headers] ?? null } as Headers;
    assert.deepEqual(await verifyWebhook(foreign, body, { secret, now }), event);
  });
});
