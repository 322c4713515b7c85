// The mark of a recipient in stored events: it depends on the secret and the recipient, and reveals neither.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markRecipient, marksOf, markWith, recipientMarkKey } from '../../../src/kernel/crypto/recipient-mark.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';

const first = 'the first secret, long enough to be one';
const second = 'the second secret, long enough to be one';
const phone = '+12025550123';

describe('the mark of a recipient', () => {
  it('a mark has twelve characters and does not contain the recipient', () => {
    assert.match(markRecipient(createSecrets(first), phone), /^[\w-]{12}$/);
  });

  it('a mark differs by recipient and by secret, and not by letter case', () => {
    const secrets = createSecrets(first);
    assert.notEqual(markRecipient(secrets, phone), markRecipient(secrets, `${phone}4`));
    assert.notEqual(markRecipient(secrets, phone), markRecipient(createSecrets(second), phone));
    assert.equal(markRecipient(secrets, 'Ann@Example.com'), markRecipient(secrets, 'ann@example.com'));
  });

  it('a new mark uses the current secret, and those of both secrets are searched, the current one first', () => {
    const both = createSecrets(second, first);
    assert.deepEqual(marksOf(both, phone), [
      markRecipient(createSecrets(second), phone),
      markRecipient(createSecrets(first), phone),
    ]);
    assert.equal(markRecipient(both, phone), marksOf(both, phone)[0]);
    assert.equal(marksOf(createSecrets(first), phone).length, 1);
  });

  it('a mark that is made later, with the key as text, is the same', () => {
    const secrets = createSecrets(second, first);
    assert.equal(markWith(recipientMarkKey(secrets), phone), markRecipient(secrets, phone));
  });
});
