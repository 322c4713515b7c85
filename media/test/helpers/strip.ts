// Strips metadata from a file in memory, as an upload does.
import assert from 'node:assert/strict';
import type { MediaType } from '../../src/media-type.ts';
import type { Piece } from '../../src/pieces.ts';
import type { Edit } from '../../src/strip/edit.ts';
import { planStrip } from '../../src/strip-metadata.ts';
import { inMemory } from './media-files.ts';

/** The file without metadata. The same bytes if it needs no change. */
export function strip(type: MediaType, source: Buffer): Buffer {
  const pieces = piecesOf(type, source);
  return pieces === undefined ? source : Buffer.concat(pieces.map((piece) => bytesOf(piece, source)));
}

/** The plan of a file that no rule excludes. */
export function piecesOf(type: MediaType, source: Buffer): Piece[] | undefined {
  const plan = planStrip(type, inMemory(source));
  if (plan !== undefined && 'rule' in plan) assert.fail(`excluded: ${plan.rule}`);
  return plan;
}

function bytesOf(piece: Piece, source: Buffer): Buffer {
  return 'bytes' in piece ? piece.bytes : source.subarray(piece.from, piece.to);
}

/** The source with the edits, which may be in any order and do not overlap. */
export function edited(source: Buffer, edits: readonly Edit[]): Buffer {
  let result = source;
  for (const { from, to, bytes } of edits.toSorted((one, other) => other.from - one.from || other.to - one.to))
    result = Buffer.concat([result.subarray(0, from), bytes, result.subarray(to)]);
  return result;
}
