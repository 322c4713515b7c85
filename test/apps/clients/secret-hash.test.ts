// The hash of an app's secret, in the forms that operators write.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashSecret, parseSecretHash } from '../../../src/apps/clients/secret-hash.ts';

const hex = hashSecret('secret');
const base64url = Buffer.from(hex, 'hex').toString('base64url');

describe('the hash of a secret', () => {
  for (const text of [hex, hex.toUpperCase(), `sha256:${hex}`, base64url, `${base64url}=`, `sha256:${base64url}`]) {
    it(`${text} is read`, () => assert.equal(parseSecretHash(text), hex));
  }

  for (const text of [
    '',
    'secret',
    hex.slice(1),
    `${hex}0`,
    `md5:${hex}`,
    `${base64url.slice(0, 42)}B`,
    hashSecret(''),
  ]) {
    it(`“${text}” is no hash of a secret`, () => assert.equal(parseSecretHash(text), undefined));
  }
});
