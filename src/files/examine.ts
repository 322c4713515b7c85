// Examines the bytes of an upload against its purpose: mismatch, not allowed, corrupt, too many pixels, in this order.
import { Failure } from '../kernel/failure.ts';
import type { Log } from '../kernel/telemetry.ts';
import { claimsKnownType, reconcile } from './declared-type.ts';
import { cleanFileName } from './file-name.ts';
import { type ByteReader, type MediaType, mediaTypes, type Proof } from './media-type.ts';
import { proveMediaType } from './prove-media-type.ts';
import type { Purpose } from './purpose.ts';
import type { Taken } from './take-parts.ts';

export type Examined = {
  readonly type: MediaType;
  readonly name: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
};

export async function examine(file: ByteReader, purpose: Purpose, taken: Taken, log: Log): Promise<Examined> {
  const proof = await proveMediaType(file);
  if (proof === undefined) {
    if (claimsKnownType(taken.declaredType)) throw new Failure('FILE_TYPE_MISMATCH');
    throw notAllowed(purpose);
  }
  const type = reconcile(taken.declaredType, proof.type);
  if (type === undefined) throw new Failure('FILE_TYPE_MISMATCH');
  if (!purpose.types.includes(type)) throw notAllowed(purpose);
  if (proof.kind === 'corrupt') {
    log.info('file refused', { type, reason: proof.reason });
    throw new Failure('FILE_CORRUPT');
  }
  checkPixels(proof, purpose);
  return { type, name: cleanFileName(taken.name, type), width: proof.width, height: proof.height };
}

function checkPixels({ width, height }: Extract<Proof, { kind: 'proved' }>, { maxPixels, maxSide }: Purpose): void {
  if (width === undefined || height === undefined) return;
  const tooMany = maxPixels !== undefined && width * height > maxPixels;
  const tooLong = maxSide !== undefined && Math.max(width, height) > maxSide;
  if (!tooMany && !tooLong) return;
  const limits = [maxPixels && `${Math.round(maxPixels / 1e6)} MP`, maxSide && `${maxSide} px`].filter(
    (limit) => limit !== undefined,
  );
  throw new Failure('FILE_IMAGE_TOO_LARGE', { limit: limits.join(', ') });
}

function notAllowed({ types }: Purpose): Failure {
  return new Failure('FILE_TYPE_NOT_ALLOWED', {
    list: types.map((type) => mediaTypes[type].extensions[0].toUpperCase()).join(', '),
  });
}
