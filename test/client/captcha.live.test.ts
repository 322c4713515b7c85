// Captchas: the client solves the proof of work of the service by itself, ahead of time, and uses a solution once and never when it is old.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, openStage, type Stage } from '../helpers/client/stage.ts';
import { newPhone } from '../helpers/requests/api.ts';

const challengeLine = 'GET /api/auth/captcha/challenge';
const sendLine = 'POST /api/auth/phone/send/otp';

describe('captchas of the client', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage({ CAPTCHA_URL: 'altcha:' });
  });
  after(() => stage.end());

  it('the client solves the proof of work for each send', async () => {
    const { gatehouse, count } = createClient(stage.url);
    await gatehouse.phone.sendCode(newPhone());
    await gatehouse.email.sendLink('ann@example.com');
    assert.equal(count(challengeLine), 2);
  });

  it('the client uses a prepared captcha solution once', async () => {
    const { gatehouse, lines } = createClient(stage.url);
    gatehouse.prepareCaptcha();
    gatehouse.prepareCaptcha();
    await gatehouse.phone.sendCode(newPhone());
    assert.deepEqual(lines, [challengeLine, sendLine]);
    await gatehouse.phone.sendCode(newPhone());
    assert.deepEqual(lines.slice(2), [challengeLine, sendLine]);
  });

  it('the client reports the progress of a captcha', async () => {
    const shares: number[] = [];
    const { gatehouse } = createClient(stage.url, { onCaptchaProgress: (share) => shares.push(share) });
    await gatehouse.phone.sendCode(newPhone());
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    assert.ok(shares.every((share) => share > 0 && share <= 1));
    assert.equal(shares.at(-1), 1);
  });

  it('the client discards a captcha solution that is older than 100 seconds', async ({ mock }) => {
    const { gatehouse, count } = createClient(stage.url);
    gatehouse.prepareCaptcha();
    const later = Date.now() + 100_000;
    const clock = mock.method(Date, 'now', () => later);
    await gatehouse.phone.sendCode(newPhone());
    clock.mock.restore();
    assert.equal(count(challengeLine), 2);
  });

  it('the client solves a new captcha, once, when the service refuses the first', async () => {
    let refusals = 0;
    const { gatehouse, count } = createClient(stage.url, {}, async (line, pass) => {
      if (line !== sendLine || refusals === 1) return pass();
      refusals += 1;
      return Response.json(
        { success: false, message: 'No.', codeError: 'CAPTCHA_INVALID', data: null },
        { status: 403 },
      );
    });
    await gatehouse.phone.sendCode(newPhone());
    assert.deepEqual([count(challengeLine), count(sendLine)], [2, 2]);
  });

  it('the client prepares a captcha again if that failed', async () => {
    let isDown = true;
    const { gatehouse } = createClient(stage.url, {}, async (line, pass) => {
      if (!isDown || line !== challengeLine) return pass();
      isDown = false;
      throw new TypeError('offline');
    });
    gatehouse.prepareCaptcha();
    await gatehouse.phone.sendCode(newPhone());
  });

  it('the client asks the app for the token of another captcha provider, and never twice', async () => {
    const actions: string[] = [];
    const captcha = async (action: string) => {
      actions.push(action);
      return 'token-of-a-widget';
    };
    const { gatehouse, lines } = createClient(stage.url, { captcha });
    gatehouse.prepareCaptcha();
    await assert.rejects(gatehouse.phone.sendCode(newPhone()), { code: 'CAPTCHA_INVALID', status: 403 });
    assert.deepEqual([actions, lines], [['send-phone-code'], [sendLine]]);
  });
});
