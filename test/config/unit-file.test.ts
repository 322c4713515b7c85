// What a systemd unit says about the program: its path, its environment and the files with its settings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseUnit } from '../../src/config/unit-file.ts';

describe('the unit of a service', () => {
  it('that is delivered names the program, the data folder and the file of settings', () => {
    const text = readFileSync(new URL('../../deploy/gatehouse.service', import.meta.url), 'utf8');
    const { words, environment, files } = parseUnit([text]);
    assert.ok(words.includes('/opt/gatehouse/dist/gatehouse.js'));
    assert.equal(environment.DATA_DIR, '/var/lib/gatehouse');
    assert.deepEqual(files, [{ path: '/etc/gatehouse/env', isOptional: false }]);
  });

  for (const [what, texts, expected] of [
    [
      'has quoted assignments',
      ['[Service]\nEnvironment="A=b c" D=e \'F=%%g\''],
      { environment: { A: 'b c', D: 'e', F: '%g' } },
    ],
    ['continues on the next line', ['[Service]\nExecStart=/node \\\n  /a.js'], { words: ['/node', '/a.js'] }],
    ['has comments and other sections', ['[Unit]\nEnvironment=A=1\n[Service]\n#Environment=A=2\n;Environment=A=3'], {}],
    ['has an optional file', ['[Service]\nEnvironmentFile=-/x'], { files: [{ path: '/x', isOptional: true }] }],
    [
      'has a drop-in that adds',
      ['[Service]\nEnvironment=A=1\nEnvironmentFile=/x', '[Service]\nEnvironment=B=2\nEnvironmentFile=/y'],
      { environment: { A: '1', B: '2' }, files: ['/x', '/y'].map((path) => ({ path, isOptional: false })) },
    ],
    [
      'has a drop-in that takes back',
      [
        '[Service]\nExecStart=/a\nEnvironment=A=1\nEnvironmentFile=/x',
        '[Service]\nExecStart=\nExecStart=/b\nEnvironment=\nEnvironmentFile=\nEnvironmentFile=/y',
      ],
      { words: ['/b'], files: [{ path: '/y', isOptional: false }] },
    ],
    ['has a folder that may be missing', ['[Service]\nWorkingDirectory=-/x'], { workingDirectory: '/x' }],
    ['runs at the home of its user', ['[Service]\nWorkingDirectory=~'], { workingDirectory: undefined }],
  ] as const) {
    it(`that ${what} is read`, () =>
      assert.deepEqual(parseUnit(texts), {
        words: [],
        environment: {},
        files: [],
        workingDirectory: '/',
        ...expected,
      }));
  }
});
