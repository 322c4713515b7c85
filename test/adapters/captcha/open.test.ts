// The captcha of local mode.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOpenCaptcha } from '../../../src/adapters/captcha/open.ts';

describe('the open captcha', () => {
  it('accepts any text, has nothing to spend, and offers no challenge', async () => {
    assert.equal(await createOpenCaptcha().check('x', ''), undefined);
    assert.equal(createOpenCaptcha().challenge, undefined);
  });

  it('refuses an empty text', () => assert.rejects(createOpenCaptcha().check('', ''), { code: 'CAPTCHA_INVALID' }));
});
