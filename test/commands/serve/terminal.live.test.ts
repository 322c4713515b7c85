// What a developer sees: on a terminal readable lines with colours and a code that stands out; in a pipe JSON and no escape sequence.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { newPhone, sendOtp } from '../../helpers/requests/api.ts';
import { request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { isolatedEnv, type TestEnv } from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const program = join(import.meta.dirname, '../../../src/gatehouse.js');
const command = [process.execPath, program];
/** Everything that is not a colour. */
const otherSequence = /\u001b(?!\[[\d;]*m)/;

/** Runs the service, asks for a code with hostile requests around it, and returns everything that was written. */
async function listen(
  test: TestContext,
  on: 'terminal' | 'pipe',
  wanted: TestEnv,
): Promise<{ text: string; phone: string }> {
  const { env, dispose } = await isolatedEnv('sqlite', { LOG_LEVEL: 'info', ...wanted });
  test.after(dispose);
  const [first = '', ...rest] = on === 'pipe' ? command : ['script', '-qefc', command.join(' '), '/dev/null'];
  const child = spawn(first, rest, {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  test.after(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const has = (part: string | RegExp) =>
    waitUntil(
      () => text,
      () => text.search(part) >= 0,
    );
  await has('ready in');
  const url = `http://127.0.0.1:${env.PORT}`;
  const phone = newPhone();
  await sendRaw(
    url,
    request('GET /%1b%5b2J%0aforged', ['X-Request-Id: \u001b[2J\u001b]0;title\u0007', 'User-Agent: \u001b[31m']),
  );
  await sendOtp(url, phone, { 'user-agent': 'a\tb' });
  await has(/\d{6}/);
  await has('/api/auth/phone/send/otp');
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
  return { text: text.replaceAll('\r\n', '\n'), phone };
}

const lineWith = (text: string, part: string) =>
  text.split('\n').find((line) => line.includes(part)) ?? assert.fail(text);

describe('the terminal', () => {
  it('on a terminal log lines are readable, the code stands out on its own line, and no request writes a control character', async (test) => {
    const { text, phone } = await listen(test, 'terminal', {});
    assert.match(lineWith(text, `SMS to ${phone}`), /^ {2}SMS to \+\d+: .*\u001b\[1;7m \d{6} \u001b\[0m/);
    assert.match(
      lineWith(text, 'POST /api/auth/phone/send/otp'),
      /^\u001b\[2m\d\d:\d\d:\d\d\u001b\[0m \u001b\[32minfo \u001b\[0m POST \S+ \u001b\[32m200\u001b\[0m\u001b\[2m \d+ ms\u001b\[0m/,
    );
    assert.doesNotMatch(text, otherSequence);
    assert.doesNotMatch(text, /^forged/m);
    assert.doesNotMatch(text, /^\{/m);
  });

  it('NO_COLOR keeps the lines and drops every escape sequence', async (test) => {
    const { text, phone } = await listen(test, 'terminal', { NO_COLOR: '1' });
    assert.match(lineWith(text, `SMS to ${phone}`), /\d{6}/);
    assert.match(lineWith(text, 'POST /api/auth/phone/send/otp'), /^\d\d:\d\d:\d\d info {2}POST \S+ 200 \d+ ms/);
    assert.ok(!text.includes('\u001b'));
  });

  it('in a pipe each log line is JSON, and nothing is coloured', async (test) => {
    const { text } = await listen(test, 'pipe', {});
    const { msg, route } = JSON.parse(lineWith(text, '"/api/auth/phone/send/otp"')) as Record<string, unknown>;
    assert.deepEqual([msg, route], ['request', '/api/auth/phone/send/otp']);
    assert.ok(!text.includes('\u001b'));
  });

  it('LOG_FORMAT=pretty with FORCE_COLOR colours a pipe too, and LOG_FORMAT=json writes JSON to a terminal', async (test) => {
    const piped = await listen(test, 'pipe', { LOG_FORMAT: 'pretty', FORCE_COLOR: '1' });
    assert.match(lineWith(piped.text, 'POST /api/auth/phone/send/otp'), /\u001b\[32m200\u001b\[0m/);
    assert.match(lineWith(piped.text, `SMS to ${piped.phone}`), /\u001b\[1;7m/);
    assert.doesNotMatch(piped.text, otherSequence);
    const shown = await listen(test, 'terminal', { LOG_FORMAT: 'json' });
    JSON.parse(lineWith(shown.text, '"/api/auth/phone/send/otp"'));
  });
});
