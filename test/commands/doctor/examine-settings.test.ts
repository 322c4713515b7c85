// What the doctor says about the settings alone: problems, the proxy in front, and https.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examineHttps, examineProxy, examineSettings } from '../../../src/commands/doctor/examine-settings.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';

const base = (() => {
  const result = readConfig({}, 0);
  return 'config' in result ? result.config : assert.fail();
})();
const production: Config = {
  ...base,
  mode: 'production',
  publicUrl: 'https://id.example.com',
  loginLinkUrl: 'https://id.example.com/login/link',
};

describe('the settings, says the doctor,', () => {
  it('have problems that are all bad, each with its cure', () =>
    assert.deepEqual(examineSettings({ problems: [{ name: 'PORT', trouble: 'is wrong', cure: 'write one' }] }, []), [
      { name: 'settings', state: 'bad', detail: 'PORT is wrong', cure: 'write one' },
    ]));

  it('can be read, with a doubt for each warning', () => {
    const found = examineSettings({ config: { ...production, warnings: ['careful'] } }, ['/etc/gatehouse/env']);
    assert.deepEqual(
      found.map(({ state, detail }) => `${state}: ${detail}`),
      ['good: can be read (/etc/gatehouse/env); production at https://id.example.com', 'doubtful: careful'],
    );
    assert.match(examineSettings({ config: base }, [])[0]?.detail ?? '', /local mode at http:\/\/localhost:8080/);
  });
});

describe('the proxy, says the doctor,', () => {
  for (const [what, config, state, detail] of [
    ['is not expected in local mode', base, 'good', /none is expected/],
    ['is missing behind https', production, 'bad', /TRUSTED_PROXIES is empty/],
    ['is not expected with http', { ...production, publicUrl: 'http://id.example.com' }, 'good', /none is expected/],
    ['is named', { ...production, trustedProxies: ['10.0.0.0/8', '::1'] }, 'good', /accepted from 10\.0\.0\.0\/8, ::1/],
    [
      'is half the internet',
      { ...production, trustedProxies: ['::1', '0.0.0.0/7'] },
      'doubtful',
      /trusts 0\.0\.0\.0\/7/,
    ],
    ['is a wide IPv6 network', { ...production, trustedProxies: ['2000::/15'] }, 'doubtful', /trusts 2000::\/15/],
    ['is a narrow IPv6 network', { ...production, trustedProxies: ['2000::/16'] }, 'good', /accepted/],
  ] as [string, Config, string, RegExp][]) {
    it(what, () => {
      const finding = examineProxy(config);
      assert.equal(finding.state, state);
      assert.match(finding.detail, detail);
    });
  }
});

describe('https, says the doctor,', () => {
  for (const [what, config, expected] of [
    ['is not needed in local mode', base, ['good']],
    ['is there', production, ['good']],
    [
      'is missing',
      { ...production, publicUrl: 'http://id.example.com', loginLinkUrl: 'http://id.example.com/login/link' },
      ['bad'],
    ],
    ['is missing for links', { ...production, loginLinkUrl: 'http://app.example.com/x' }, ['bad']],
    [
      'is missing for a web app',
      { ...production, corsOrigins: ['https://a.example.com', 'http://b.example.com'] },
      ['doubtful'],
    ],
    [
      'is missing everywhere',
      {
        ...production,
        publicUrl: 'http://id.example.com',
        loginLinkUrl: 'http://app.example.com/x',
        corsOrigins: ['http://b.example.com'],
      },
      ['bad', 'bad', 'doubtful'],
    ],
  ] as [string, Config, string[]][]) {
    it(what, () =>
      assert.deepEqual(
        examineHttps(config).map(({ state }) => state),
        expected,
      ),
    );
  }
});
