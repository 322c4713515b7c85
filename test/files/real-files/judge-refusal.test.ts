// Which refusals of real files count as explained.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { MediaType } from '#media/media-type';
import { riff } from '../../../media/test/helpers/media-builders.ts';
import { joined } from '../../../media/test/helpers/media-files.ts';
import { type Judgement, judge } from './judge-refusal.ts';

describe('the judgement on a refusal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-judge-'));
  after(() => rmSync(folder, { recursive: true }));

  const opens = { tool: 'a tool', opens: true, complaint: '' };
  const complains = { tool: 'a tool', opens: false, complaint: 'broken' };
  const verdictOn = (
    type: MediaType | undefined,
    reason: string,
    opinion?: typeof opens,
    rule?: string,
    bytes?: Buffer,
  ) => {
    const content = bytes ?? joined('some bytes');
    const path = join(folder, 'file');
    writeFileSync(path, content);
    const file = { from: 'a package', name: 'file', path, bytes: content.length, seen: type };
    return judge(
      { kind: 'refused', file, code: 'FILE_CORRUPT', type, rule, reason },
      opinion && { ...opinion, type: type ?? 'application/pdf' },
    ).verdict;
  };

  const cases: [what: string, verdict: Judgement['verdict'], expected: Judgement['verdict']][] = [
    ['that a rule explains', verdictOn('application/zip', '', opens, 'zip-links'), 'rule'],
    ['that the tool shares', verdictOn('image/gif', 'no frame', complains), 'damaged'],
    ['of a file without a type', verdictOn(undefined, ''), 'damaged'],
    ['for bytes behind a GIF', verdictOn('image/gif', '9 bytes after the end', opens), 'bytes behind the end'],
    ['for bytes behind a JPEG', verdictOn('image/jpeg', '9 bytes after the end', opens), 'unexplained'],
    [
      'for bytes behind a RIFF file',
      verdictOn('image/webp', 'the size', opens, undefined, joined(riff(), 'more')),
      'bytes behind the end',
    ],
    ['of a whole RIFF file', verdictOn('image/webp', 'the size', opens, undefined, riff()), 'unexplained'],
    ['of a damaged animation', verdictOn('image/png', 'frames out of sequence', opens), 'known'],
    ['of a text with an escape', verdictOn('text/plain', '', opens, undefined, joined('a\x1b[1m')), 'rule'],
    ['of a text with page ends', verdictOn('text/plain', '', opens, undefined, joined('a\f\tb\r\n')), 'unexplained'],
    ['of a PDF that begins otherwise', verdictOn(undefined, '', opens), 'known'],
    ['that nothing explains', verdictOn('audio/wav', 'no format', opens), 'unexplained'],
  ];
  for (const [what, verdict, expected] of cases)
    it(`a refusal ${what} is judged as: ${expected}`, () => assert.equal(verdict, expected));
});
