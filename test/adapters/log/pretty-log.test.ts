// The log for people: readable lines, the same masks as the JSON log, and no way to forge a line.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPrettyLog, type PrettyOptions } from '../../../src/adapters/log/pretty-log.ts';
import type { Log } from '../../../src/kernel/process/telemetry.ts';

const noon = new Date(2026, 0, 2, 12, 0, 0);

function write(act: (log: Log) => void, options: Partial<PrettyOptions> = {}, level = 'debug'): string {
  let written = '';
  const target = {
    write: (line: string) => {
      written += line;
    },
  };
  act(createPrettyLog(level, { hasColour: false, now: () => noon, ...options }, target));
  return written;
}

const answer = { requestId: 'req_1', method: 'GET', route: '/api/auth/me', status: 401, seconds: 0.0031 };

describe('the log for people', () => {
  it('says time, level, event and facts in one line', () =>
    assert.equal(
      write((log) => log.warn('storage refused', { act: 'keep', detail: 'two words', count: 2, none: undefined })),
      '12:00:00 warn  storage refused act=keep detail="two words" count=2\n',
    ));

  it('shows a request as method, route, status and time, and its id only after a fault', () => {
    assert.equal(
      write((log) => log.info('request', { ...answer, failure: 'ACCESS_TOKEN_MISSING' })),
      '12:00:00 info  GET /api/auth/me 401 3 ms failure=ACCESS_TOKEN_MISSING\n',
    );
    assert.match(
      write((log) => log.warn('request', { ...answer, status: 503 })),
      /503 3 ms requestId=req_1\n$/,
    );
  });

  it('has colours only if it may, and names the worker if there are several', () => {
    const line = write((log) => log.info('request', answer), { hasColour: true, worker: 2 });
    assert.equal(
      line,
      '\u001b[2m12:00:00\u001b[0m \u001b[32minfo \u001b[0m \u001b[2mworker 2 \u001b[0mGET /api/auth/me \u001b[33m401\u001b[0m\u001b[2m 3 ms\u001b[0m\n',
    );
  });

  it('masks codes, numbers, addresses and tokens as the JSON log does', () => {
    const line = write((log) =>
      log.info('x', { a: 'code 123456 to +15550100001', b: 'ann@example.com', c: 'a'.repeat(43) }),
    );
    assert.equal(line, '12:00:00 info  x a="code [code] to [phone]" b=[address] c=[token]\n');
  });

  it('no value forges a line or sends a control character', () => {
    const hostile = 'a\n12:00:00 info  forged\u001b[2J\u0085\u2028b';
    const error = new Error(hostile);
    const written = write((log) => {
      log.info(hostile, { [hostile]: hostile, list: [hostile] });
      log.error('fault', { error });
    });
    assert.doesNotMatch(written, /^12:00:00 info {2}forged/m);
    assert.doesNotMatch(written, /[^\P{C}\n]|[\u2028\u2029]/u);
    const [, , ...stack] = written.trimEnd().split('\n');
    assert.ok(stack.length > 1 && stack.every((line) => line.startsWith('    ')), written);
  });

  for (const [level, expected] of [
    ['trace', 4],
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['fatal', 0],
    ['silent', 0],
  ] as const) {
    it(`the level ${level} lets ${expected} of four lines through`, () => {
      const written = write(
        (log) => {
          for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]('x');
        },
        {},
        level,
      );
      assert.equal(written.split('\n').length - 1, expected);
    });
  }
});
