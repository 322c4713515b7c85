// `serve --lan`: which address it takes, what it refuses, what it warns of, and a QR code that a camera can read.
import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { describe, it } from 'node:test';
import { decodeQR } from 'qr/decode.js';
import { CommandError } from '../../../src/commands/command-error.ts';
import { findLanAddresses, toLan, writeLanCode } from '../../../src/commands/serve/lan.ts';
import { readConfig } from '../../../src/config/config.ts';
import { paint } from '../../../src/kernel/text/terminal-style.ts';

const at = (address: string, changes: object = {}) =>
  ({ address, family: 'IPv4', internal: false, ...changes }) as NetworkInterfaceInfo;

function configOf(env: Record<string, string>) {
  const result = readConfig({ DATA_DIR: '/data', ...env }, 0);
  return 'config' in result ? result.config : assert.fail(JSON.stringify(result.problems));
}

describe('serve --lan', () => {
  for (const [what, interfaces, expected] of [
    ['no interface', {}, []],
    ['only this machine', { lo: [at('127.0.0.1', { internal: true })] }, []],
    ['an address that was made up', { en0: [at('169.254.1.2')] }, []],
    ['IPv6 alone', { en0: [at('fd00::2', { family: 'IPv6' })] }, []],
    ['a network at home', { lo: [at('127.0.0.1', { internal: true })], wlan0: [at('192.168.1.7')] }, ['192.168.1.7']],
    ['containers first', { docker0: [at('172.17.0.1')], en0: [at('10.0.0.5')] }, ['10.0.0.5', '172.17.0.1']],
    [
      'a public address first',
      { eth0: [at('198.51.100.7')], eth1: [at('172.20.3.4')] },
      ['172.20.3.4', '198.51.100.7'],
    ],
    ['172.32, which is public', { eth0: [at('172.32.0.1')], eth1: [at('10.1.1.1')] }, ['10.1.1.1', '172.32.0.1']],
  ] as const) {
    it(`--lan with ${what} takes ${expected[0] ?? 'nothing'}`, () => {
      const given = Object.fromEntries(Object.entries(interfaces).map(([name, list]) => [name, [...list]]));
      assert.deepEqual(findLanAddresses(given), [...expected]);
    });
  }

  it('--lan listens on all addresses, names its own in every link, and warns plainly', () => {
    const config = toLan(configOf({ PORT: '8090' }), {}, ['192.168.1.7', '10.0.0.5']);
    assert.equal(config.mode, 'local');
    assert.equal(config.publicUrl, 'http://192.168.1.7:8090');
    assert.equal(config.loginLinkUrl, 'http://192.168.1.7:8090/login/link');
    assert.deepEqual([config.listen.host, config.listen.metricsPort], ['0.0.0.0', undefined]);
    assert.match(config.warnings[0] ?? '', /Everyone in this network can open the inbox/);
    assert.match(config.warnings.join('\n'), /other addresses too: 10\.0\.0\.5/);
    assert.doesNotMatch(config.warnings.join('\n'), /captcha/);
  });

  it('--lan keeps a link to another page, and warns of a captcha that browsers cannot solve there', () => {
    const env = { LOGIN_LINK_URL: 'http://localhost:3000/in', CAPTCHA_URL: 'altcha://' };
    const config = toLan(configOf(env), {}, ['10.0.0.5']);
    assert.equal(config.loginLinkUrl, 'http://localhost:3000/in');
    assert.match(config.warnings.join('\n'), /captcha only on https and localhost/);
  });

  for (const [env, said] of [
    [{ PUBLIC_URL: 'http://localhost:8080' }, /--lan is for local mode, and PUBLIC_URL is set/],
    [{ HOST: '127.0.0.1' }, /and HOST is set/],
    [{ PUBLIC_URL: 'http://localhost:8080', HOST: '0.0.0.0' }, /PUBLIC_URL and HOST are set/],
  ] as const) {
    it(`--lan is refused with ${Object.keys(env).join(' and ')}`, () => {
      assert.throws(
        () => toLan(configOf(env), env, ['10.0.0.5']),
        (error) => error instanceof CommandError && error.exitCode === 78 && said.test(error.message),
      );
    });
  }

  it('--lan says that there is no network', () => {
    const isPlain = (error: unknown) =>
      error instanceof CommandError && error.exitCode === 1 && /finds no IPv4 address/.test(error.message);
    assert.throws(() => toLan(configOf({}), {}, []), isPlain);
  });

  for (const hasColour of [true, false]) {
    it(`the QR code is the address, ${hasColour ? 'in black on white' : 'without colours'}`, async () => {
      const text = paint(await writeLanCode('http://192.168.100.217:18080'), hasColour);
      const rows = text.split('\n').filter((line) => /[▀▄█]/.test(line));
      assert.ok(rows.every((row) => row.includes('\u001b[38;5;16;48;5;231m') === hasColour));
      assert.equal(read(rows.map((row) => plain(row).slice(2))), 'http://192.168.100.217:18080/');
    });
  }
});

function plain(row: string): string {
  return row.replaceAll(/\u001b\[[\d;]*m/g, '');
}

/** Draws the characters as a picture, as a camera sees them, and reads it. */
function read(rows: readonly string[]): string {
  const scale = 4;
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * 2 * scale];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const character = rows[Math.floor(y / scale / 2)]?.[Math.floor(x / scale)] ?? ' ';
      const isUpper = Math.floor(y / scale) % 2 === 0;
      const isDark = character === '█' || character === (isUpper ? '▀' : '▄');
      if (isDark) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return decodeQR({ width, height, data });
}
