// The captcha of the settings, and the hosts on which users may solve it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { chooseCaptcha, ownHosts } from '../../src/service/choose-captcha.ts';

const parts = {
  secrets: createSecrets('a secret of more than thirty-two bytes'),
  clock: { now: () => 0 },
  price: () => 1,
};
const bare = { id: '', secret: '', host: '', path: '', query: {} };
const where = { mode: 'production', publicUrl: 'https://id.example.com', corsOrigins: [] } as const;

describe('the captcha of the settings', () => {
  it('altcha offers a challenge, and open takes any token', async () => {
    const altcha = await chooseCaptcha({ ...where, captcha: { ...bare, scheme: 'altcha' } }, parts);
    assert.equal(typeof altcha.challenge, 'function');
    const open = await chooseCaptcha({ ...where, captcha: { ...bare, scheme: 'open' } }, parts);
    assert.equal(await open.check('x', ''), undefined);
  });
});

describe('the hosts on which a captcha may be solved', () => {
  it('are those of the service and of its web apps, without ports', () =>
    assert.deepEqual(ownHosts({ ...where, corsOrigins: ['https://app.example.com:8443', 'http://localhost:3000'] }), [
      'id.example.com',
      'app.example.com',
      'localhost',
    ]));

  it('are not checked in local mode', () => assert.deepEqual(ownHosts({ ...where, mode: 'local' }), []));
});
