// The captcha check of every request for a message.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passCaptcha } from '../../src/abuse/captcha.ts';
import { Failure } from '../../src/kernel/failure.ts';

describe('the captcha of a request', () => {
  it('a request without a captcha token is refused, and no provider is asked', async () => {
    const captcha = { check: () => assert.fail('asked') };
    await assert.rejects(passCaptcha(captcha, '', '192.0.2.1'), new Failure('CAPTCHA_REQUIRED'));
  });

  for (const spend of [{ id: 'altcha:1', sweepAt: 9 }, undefined]) {
    it(`a captcha token is checked with its provider, which records ${spend?.id ?? 'nothing'}`, async () => {
      const asked: unknown[] = [];
      const check = async (...given: unknown[]) => {
        asked.push(given);
        return spend;
      };
      assert.deepEqual(await passCaptcha({ check }, 'token', '192.0.2.1'), spend);
      assert.deepEqual(asked, [['token', '192.0.2.1']]);
    });
  }

  it('a captcha token that its provider refuses is refused for the same reason', async () => {
    const refusal = new Failure('CAPTCHA_INVALID');
    await assert.rejects(
      passCaptcha({ check: () => Promise.reject(refusal) }, 'token', 'ip'),
      (error) => error === refusal,
    );
  });
});
