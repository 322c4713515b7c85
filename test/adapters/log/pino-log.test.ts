// Proves that one event is one line of JSON whatever its content, without phone numbers, e-mail addresses or tokens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { blot } from '../../../src/adapters/log/log-facts.ts';
import { createPinoLog } from '../../../src/adapters/log/pino-log.ts';
import { seed } from '../../helpers/faults/rounds.ts';

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

describe('a masked text', () => {
  const token = 'aB3_-'.repeat(9);
  const jwt = ['e'.repeat(36), 'y'.repeat(80), 'J'.repeat(86)].join('.');
  for (const [text, expected] of [
    ['for ann@example.com.', 'for [address].'],
    ['to=ann@example.com', 'to=[address]'],
    ['<ann+x@a.example.com>', '<[address]>'],
    ['a@b', 'a@b'],
    ['call +12025550123 now', 'call [phone] now'],
    ['call +1 (202) 555-0123', 'call [phone]'],
    ['+123', '+123'],
    ['code 123456', 'code [code]'],
    ['code=123456;', 'code=[code];'],
    ['1234567', '1234567'],
    ['12345', '12345'],
    ['port :123456', 'port :123456'],
    ['1.123456', '1.123456'],
    [`Bearer ${jwt}`, 'Bearer [token]'],
    [`token ${token}`, 'token [token]'],
    ['a'.repeat(42), 'a'.repeat(42)],
    [`/path/${'a'.repeat(43)}`, `/path/${'a'.repeat(43)}`],
    ['0192f0c1-7d1e-7000-8000-0123456789ab', '0192f0c1-7d1e-7000-8000-0123456789ab'],
    ['fil_ABCDEFGHIJKLMNOPQRSTUV', 'fil_ABCDEFGHIJKLMNOPQRSTUV'],
    ['a\u001b[31mb', 'a\\u001b[31mb'],
    ['a\nb', 'a\nb'],
    ['', ''],
  ] as const) {
    it(`${JSON.stringify(text.slice(0, 60))} is written as ${JSON.stringify(expected.slice(0, 60))}`, () =>
      assert.equal(blot(text), expected));
  }

  it('a long text is cut, and nothing of what follows is written', () => {
    assert.equal(blot(`${'. '.repeat(2048)}ann@example.com`), `${'. '.repeat(2048)}…`);
    assert.equal(blot('. '.repeat(2048)).length, 4096);
  });

  it('whatever stands around them, phone numbers, addresses and codes are masked', () => {
    const around = fc.string({ unit: fc.constantFrom(...' ,;:<>()"\'|\n'), maxLength: 6 });
    const secret = fc.constantFrom('ann@example.com', '+12025550123', token, jwt);
    const property = fc.property(around, secret, around, (left, text, right) => {
      assert.ok(!blot(`${left}${text}${right}`).includes(text), `${left}${text}${right}`);
    });
    fc.assert(property, { seed, numRuns: 80 });
  });
});

describe('the fields of a line', () => {
  const lineOf = (facts: Record<string, unknown>) => JSON.parse(write((log) => log.info('event', facts)));

  it('an error is written with its name, code, message and stack, and nothing that a driver attached', () => {
    const error = Object.assign(new RangeError('for ann@example.com'), {
      code: '23505',
      detail: 'ann@example.com',
      parameters: ['x'],
    });
    const { error: written } = lineOf({ error });
    assert.deepEqual(Object.keys(written), ['name', 'code', 'message', 'stack']);
    assert.deepEqual([written.name, written.code, written.message], ['RangeError', '23505', 'for [address]']);
    assert.ok(!written.stack.includes('ann@example.com'));
  });

  it('numbers and flags are written as they are', () =>
    assert.deepEqual([lineOf({ a: 123_456 }).a, lineOf({ a: true }).a, lineOf({ a: null }).a], [123_456, true, null]));

  it('a line below the level is not written', () => {
    let written = '';
    const log = createPinoLog('warn', {
      write: (text) => {
        written += text;
      },
    });
    log.info('quiet');
    log.debug('quiet');
    assert.equal(written, '');
    log.warn('loud');
    log.error('loud');
    assert.equal(written.trim().split('\n').length, 2);
  });

  it('a line has the level by name, the event and an ISO time, and no process or host', () => {
    const line = lineOf({});
    assert.deepEqual(Object.keys(line), ['level', 'time', 'msg']);
    assert.deepEqual([line.level, line.msg], ['info', 'event']);
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});
