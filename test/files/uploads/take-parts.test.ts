// The parts of an upload in any order: one file, a purpose that does not contradict itself, and a size limit of our own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createHeldSpool } from '../../../src/files/spool/held-spool.ts';
import { takeParts, type UploadPart } from '../../../src/files/uploads/take-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { memorySpool } from '../../helpers/blobs/memory-files.ts';
import { seed } from '../../helpers/faults/rounds.ts';

/** Can be read again and again. */
function each<T>(values: readonly T[]): AsyncIterable<T> {
  const read = async function* () {
    yield* values;
  };
  return { [Symbol.asyncIterator]: read };
}

const field = (name: string, value: string): UploadPart => ({ kind: 'field', name, value });
const file = (chunks: readonly string[] = ['abc'], name?: string, type?: string): UploadPart => ({
  kind: 'file',
  name,
  type,
  bytes: each(chunks.map((chunk) => Buffer.from(chunk))),
});

async function take(parts: readonly UploadPart[], maxBytes = 1000, take: (bytes: number) => void = () => undefined) {
  const spool = createHeldSpool(async () => memorySpool(), { inTime: (writing) => writing });
  const taken = await takeParts(each(parts), spool, { take }, maxBytes);
  const content = (await spool.spooled.reader.read(0, spool.spooled.size)).toString();
  await spool.discard();
  return { ...taken, content };
}

describe('the parts of an upload', () => {
  const sent = { purpose: 'image', name: 'a.png', declaredType: 'image/png', content: 'abc' };
  const cases: readonly [what: string, parts: UploadPart[], expected: Partial<typeof sent>][] = [
    ['the file alone', [file(['abc'], 'a.png', 'image/png')], { ...sent, purpose: undefined } as never],
    ['a purpose before the file', [field('purpose', 'image'), file(['abc'], 'a.png', 'image/png')], sent],
    ['a purpose after the file', [file(['abc'], 'a.png', 'image/png'), field('purpose', 'image')], sent],
    [
      'the same purpose twice',
      [field('purpose', 'image'), file(['abc'], 'a.png', 'image/png'), field('purpose', 'image')],
      sent,
    ],
    [
      'an empty purpose beside one',
      [field('purpose', ''), field('purpose', 'image'), file(['abc'], 'a.png', 'image/png'), field('purpose', '')],
      sent,
    ],
    [
      'a name in a field, which wins',
      [file(['abc'], 'b.png', 'image/png'), field('name', 'a.png'), field('purpose', 'image')],
      sent,
    ],
    [
      'the last of two names',
      [field('name', 'x'), field('name', 'a.png'), file(['abc'], 'b.png', 'image/png'), field('purpose', 'image')],
      sent,
    ],
    [
      'an empty name in a field, which wins too',
      [field('name', ''), file(['abc'], 'b.png', 'image/png'), field('purpose', 'image')],
      { ...sent, name: '' },
    ],
    [
      'fields that mean nothing',
      [field('Purpose', 'x'), field('other', 'y'), file(['abc'], 'a.png', 'image/png'), field('purpose', 'image')],
      sent,
    ],
    ['a file in pieces', [field('purpose', 'image'), file(['a', '', 'b', 'c'], 'a.png', 'image/png')], sent],
    [
      'an empty file',
      [file([])],
      { purpose: undefined, name: undefined, declaredType: undefined, content: '' } as never,
    ],
  ];
  for (const [what, parts, expected] of cases) {
    it(`the parts of an upload are taken with ${what}`, async () => assert.deepEqual(await take(parts), expected));
  }

  const refusals: readonly [what: string, parts: UploadPart[], code: string, detail: object][] = [
    ['no parts', [], 'FILE_MISSING', {}],
    ['fields without a file', [field('purpose', 'image'), field('name', 'a')], 'FILE_MISSING', {}],
    ['two files', [file(), file()], 'FILE_MALFORMED', {}],
    [
      'two purposes',
      [field('purpose', 'image'), file(), field('purpose', 'avatar')],
      'REQUEST_INVALID',
      { field: 'purpose' },
    ],
  ];
  for (const [what, parts, code, detail] of refusals) {
    it(`the parts of an upload are refused: ${what}`, async () => {
      await assert.rejects(take(parts), { code, detail });
    });
  }

  it('a file is stored up to the limit and refused one byte above, however it is cut, and never written beyond it', async () => {
    const chunks = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 0, max: 15 }), async (sizes, maxBytes) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        let written = 0;
        let reserved = 0;
        const spool = {
          get size() {
            return written;
          },
          finish: async () => undefined,
          write: async (chunk: Buffer) => {
            written += chunk.length;
            assert.equal(reserved, written, 'space is reserved before it is used');
          },
        };
        const place = {
          take: (bytes: number) => {
            reserved += bytes;
          },
        };
        const taking = takeParts(each([file(sizes.map((size) => 'x'.repeat(size)))]), spool, place, maxBytes);
        if (total <= maxBytes) await taking;
        else await assert.rejects(taking, { code: 'FILE_TOO_LARGE', detail: { limit: `${maxBytes} bytes` } });
        assert.ok(written <= maxBytes && (total > maxBytes || written === total));
      }),
      { numRuns: 200, seed },
    );
  });

  it('a file for which there is no space is refused before it is written', async () => {
    const noSpace = () => {
      throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
    };
    const spool = { write: () => assert.fail('there is no space'), finish: async () => undefined };
    const taking = takeParts(each([file()]), spool, { take: noSpace }, 1000);
    await assert.rejects(taking, { code: 'STORAGE_UNAVAILABLE' });
  });
});
