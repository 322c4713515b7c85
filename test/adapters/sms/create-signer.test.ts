// The key of webhook signatures: base64 behind whsec_, otherwise the bytes of the text.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { createSigner } from '../../../src/adapters/sms/create-signer.ts';

const at = new Date(Date.UTC(2031, 4, 5, 12));
const bytes = Buffer.alloc(24, 7);

function expected(key: Buffer): string {
  return `v1,${createHmac('sha256', key)
    .update(`id.${at.getTime() / 1000}.body`)
    .digest('base64')}`;
}

describe('a webhook signature', () => {
  for (const [what, text, key] of [
    ['a key of the standard', `whsec_${bytes.toString('base64')}`, bytes],
    ['any other text', 'my own key', Buffer.from('my own key')],
    ['base64 without its mark', bytes.toString('base64'), Buffer.from(bytes.toString('base64'))],
    ['the mark with something else', 'whsec_ä!', Buffer.from('whsec_ä!')],
  ] as const) {
    it(`with ${what} covers id, time and body`, () =>
      assert.equal(createSigner(text).sign('id', at, 'body'), expected(key)));
  }
});
