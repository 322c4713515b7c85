// Proves that one event is one line of JSON whatever its content, without phone numbers, e-mail addresses or tokens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPinoLog } from '../../../src/adapters/log/pino-log.ts';

function write(act: (log: ReturnType<typeof createPinoLog>) => void): string {
  let written = '';
  act(
    createPinoLog('debug', {
      write: (text) => {
        written += text;
      },
    }),
  );
  return written;
}

describe('the log', () => {
  it('the log writes one line of JSON for an event, whatever its content', () => {
    const hostile = 'a\r\n{"level":"error","msg":"forged"}\n\u001b[31mred\u001b[0m\u2028\u2029\u0085\0\u202e"\\';
    const text = write((log) => {
      log.info('request', { requestId: hostile, route: hostile });
      log.warn('trouble', { error: Object.assign(new Error(hostile), { code: hostile }) });
    });
    const lines = text.split(/[\n\r]/).filter((line) => line !== '');
    assert.equal(lines.length, 2);
    const events = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
    assert.deepEqual(
      events.map(({ level, msg }) => `${level} ${msg}`),
      ['info request', 'warn trouble'],
    );
    assert.ok(!text.includes('\u001b'), 'no terminal control characters');
  });

  it('the log masks phone numbers, e-mail addresses, codes and tokens at the beginning, in the middle and at the end', () => {
    const secrets = ['ann@example.com', '+12025550123', '+1 (202) 555-0123', '123456', 'aB3_-'.repeat(9)];
    const jwt = ['e'.repeat(36), 'y'.repeat(80), 'J'.repeat(86)].join('.');
    for (const secret of [...secrets, jwt]) {
      for (const text of [
        secret,
        `to ${secret}`,
        `${secret} was refused`,
        `<${secret}>`,
        `"${secret}"`,
        `(at ${secret})`,
      ]) {
        const line = write((log) => log.error('fault', { error: new Error(text), reason: text }));
        assert.ok(!line.includes(secret), line);
      }
    }
  });
});
