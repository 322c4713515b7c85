// Checks the bytes of an upload against its purpose. Order of the checks: mismatch, not allowed, corrupt, too many pixels.
import { Failure } from '../kernel/failure.ts';
import { type FileBytes, mediaTypes, type Proof } from '../media/media-type.ts';
import { proveMediaType } from '../media/prove-media-type.ts';
import { claimsKnownType, reconcile } from './declared-type.ts';
import type { Examined, Question } from './examiner.ts';
import { cleanFileName } from './file-name.ts';
import type { Purpose } from './purpose.ts';

export function examine(file: FileBytes, { purpose, name, declaredType }: Question): Examined {
  const proof = proveMediaType(file);
  if (proof === undefined) {
    if (claimsKnownType(declaredType)) throw new Failure('FILE_TYPE_MISMATCH');
    throw notAllowed(purpose);
  }
  const type = reconcile(declaredType, proof.type);
  if (type === undefined) throw new Failure('FILE_TYPE_MISMATCH');
  if (!purpose.types.includes(type)) throw notAllowed(purpose);
  if (proof.kind === 'corrupt') {
    const failure = new Failure('FILE_CORRUPT');
    failure.cause = `${type}: ${proof.reason}`;
    throw failure;
  }
  checkPixels(proof, purpose);
  return { type, name: cleanFileName(name, type), width: proof.width, height: proof.height };
}

function checkPixels(
  { width = 0, height = 0 }: Extract<Proof, { kind: 'proved' }>,
  { maxPixels, maxSide }: Pick<Purpose, 'maxPixels' | 'maxSide'>,
): void {
  const tooMany = width * height > (maxPixels ?? Number.POSITIVE_INFINITY);
  const tooLong = Math.max(width, height) > (maxSide ?? Number.POSITIVE_INFINITY);
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
