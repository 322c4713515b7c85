// Proofs of files that take long: pictures of the installed encoder, floods of small parts, and the worst known files.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { FileBytes } from '../src/media-type.ts';
import { proveMediaType } from '../src/prove-media-type.ts';
import { floodFiles } from './helpers/flood-files.ts';
import { buildZip } from './helpers/media-builders.ts';
import { inMemory, joined } from './helpers/media-files.ts';
import { catalogue, pdf, pdfHead, row, table } from './helpers/pdf-builder.ts';
import { slowMedia } from './helpers/slow-media-files.ts';
import { height, makeValidImages, type ValidImage, width } from './helpers/valid-images.ts';
import { worstFiles } from './helpers/worst-media-files.ts';

const mebibyte = 2 ** 20;
/** How often a byte may be loaded. The worst known files need 2.1 times, and most files once. */
const mostLoads = 3;
const freeBytes = 4_096;

describe('pictures of the installed encoder', () => {
  const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
  let valid: ValidImage[];
  before(async () => {
    valid = await makeValidImages();
  });

  it('pictures of the installed encoder are proved with their type and size', () => {
    for (const { type, name, bytes } of valid)
      assert.deepEqual(proveMediaType(inMemory(bytes)), { kind: 'proved', type, width, height }, `${type} ${name}`);
  });

  for (const type of types) {
    it(`a picture of the installed encoder is not proved when it is cut anywhere: ${type}`, () => {
      for (const { name, bytes } of valid.filter((image) => image.type === type)) {
        for (let length = 0; length < bytes.length; length++) {
          const proof = proveMediaType(inMemory(bytes.subarray(0, length)));
          // Its first letters may be a text.
          assert.ok(proof?.kind !== 'proved' || proof.type === 'text/plain', `${name} cut to ${length}`);
        }
      }
    });
  }
});

describe('files that would take a careless prover long', () => {
  for (const { name, bytes } of floodFiles()) {
    it(`a flood is refused after little work: ${name}`, () => assert.equal(proveCheaply(bytes)?.kind, 'corrupt'));
  }

  for (const { name, bytes, isSound } of slowMedia()) {
    it(`a file of very many parts is ${isSound ? 'proved' : 'refused'} after little work: ${name}`, () =>
      assert.equal(proveCheaply(bytes)?.kind, isSound ? 'proved' : 'corrupt'));
  }

  for (const { prover, name, make, isSound } of worstFiles) {
    it(`the worst known file is loaded at most three times: ${prover}, ${name}`, () =>
      assert.equal(proveCheaply(make(4 * mebibyte))?.kind, isSound ? 'proved' : 'corrupt'));
  }

  it('a PDF may have 100,000 runs in all its sections together, and no run more', () => {
    const of = (older: number, newer: number) => {
      const runs = (count: number) => `1 1\n${row(pdfHead.length)}`.repeat(count);
      const at = joined(pdfHead, catalogue).length;
      return pdf(table(runs(newer), `/Root 1 0 R/Prev ${at}`), { before: `${table(runs(older))}startxref\n` });
    };
    assert.equal(proveCheaply(of(50_000, 50_000))?.kind, 'proved');
    assert.equal(proveCheaply(of(50_001, 50_000))?.kind, 'corrupt');
  });

  it('an archive of ten thousand entries in any order is proved', () => {
    const entry = (index: number) => ({ name: `folder/file-${(index * 7919) % 10_000}`, content: 'x' });
    assert.equal(proveCheaply(buildZip(Array.from({ length: 10_000 }, (_, index) => entry(index))))?.kind, 'proved');
  });
});

/** Counts the bytes that a proof loads, which is what it costs. */
function proveCheaply(bytes: Buffer): ReturnType<typeof proveMediaType> {
  const file = inMemory(bytes);
  let loaded = 0;
  const counted: FileBytes = {
    size: file.size,
    read: (position, length) => {
      const piece = file.read(position, length);
      loaded += piece.length;
      return piece;
    },
  };
  const proof = proveMediaType(counted);
  assert.ok(loaded <= freeBytes + mostLoads * bytes.length, `${loaded} bytes loaded of ${bytes.length}`);
  return proof;
}
