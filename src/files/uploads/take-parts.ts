// Reads the parts of an upload in any order. Writes the file to the spool and collects the fields.
import { Failure } from '../../kernel/failure.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { type Chunks, eachChunk } from '../spool/chunks.ts';
import type { HeldSpool } from '../spool/held-spool.ts';
import type { SpoolPlace } from '../spool/spool-budget.ts';

export type UploadPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      readonly name: string | undefined;
      readonly type: string | undefined;
      /** Throws FILE_INCOMPLETE if the file is truncated. */
      readonly bytes: Chunks;
    };

export type Taken = {
  readonly purpose: string | undefined;
  /** As sent by the client. */
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
};

type Target = Pick<HeldSpool, 'write' | 'finish'>;

export async function takeParts(
  parts: AsyncIterable<UploadPart>,
  spool: Target,
  place: Pick<SpoolPlace, 'take'>,
  maxBytes: number,
): Promise<Taken> {
  let purpose: string | undefined;
  let file: { name: string | undefined; type: string | undefined } | undefined;
  let name: string | undefined;
  for await (const part of parts) {
    if (part.kind === 'file') {
      if (file !== undefined) throw new Failure('FILE_MALFORMED');
      file = { name: part.name, type: part.type };
      await takeBytes(part.bytes, spool, place, maxBytes);
    } else if (part.name === 'purpose' && part.value !== '') {
      if (purpose !== undefined && purpose !== part.value) throw new Failure('REQUEST_INVALID', { field: 'purpose' });
      purpose = part.value;
    } else if (part.name === 'name') name = part.value;
  }
  if (file === undefined) throw new Failure('FILE_MISSING');
  return { purpose, name: name ?? file.name, declaredType: file.type };
}

/** Enforces the size limit here, independently of the parser. */
async function takeBytes(
  bytes: Chunks,
  spool: Target,
  place: Pick<SpoolPlace, 'take'>,
  maxBytes: number,
): Promise<void> {
  let size = 0;
  await eachChunk(bytes, (chunk) => {
    size += chunk.length;
    if (size > maxBytes) throw new Failure('FILE_TOO_LARGE', { limit: formatBytes(maxBytes) });
    place.take(chunk.length);
    return spool.write(chunk);
  });
  await spool.finish();
}
