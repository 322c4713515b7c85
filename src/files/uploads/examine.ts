// Checks the bytes of an upload against its purpose. Order of the checks: mismatch, not allowed, corrupt, too many pixels.

import { chooseCharset } from '#media/charset';
import type { FileRule } from '#media/file-rule';
import { type FileBytes, type MediaType, shortNameOf } from '#media/media-type';
import type { Piece } from '#media/pieces';
import { is8BitText, type Proof } from '#media/proof';
import { proveMediaType } from '#media/prove-media-type';
import { planStrip } from '#media/strip-metadata';
import { Failure } from '../../kernel/failure.ts';
import { cleanFileName } from '../file-name.ts';
import { hasTooManyPixels, type Purpose } from '../purpose.ts';
import { charsetOf, claimsKnownType, claimsText, claimsUnknownType, isTextName, reconcile } from './declared-type.ts';
import type { Examined, Question } from './examiner.ts';

/** What the record says, and the bytes to store: undefined if that is the whole file. */
type Accepted = { readonly examined: Examined; readonly pieces: Piece[] | undefined };

/** Of random bytes, one in a thousand such files has no control character. */
const fewBytes = 64;

/** Other formats are made of these: JSON and RTF of text, presentations and books of ZIP. So a declared format that is unknown is no contradiction. */
const carriers = new Set<MediaType>(['text/plain', 'application/zip']);

export function examine(file: FileBytes, { purpose, name, declaredType }: Question): Accepted {
  const proof = proveType(file, declaredType, name);
  const notText: { rule?: FileRule } = claimsText(declaredType) ? { rule: 'binary-text' } : {};
  const isUnknown = claimsUnknownType(declaredType);
  if (proof?.type === undefined) {
    // The rule explains why a text is refused. A page that is declared as one is simply of another type.
    const isOtherType = isUnknown && proof?.kind === 'excluded' && proof.rule === 'active-text';
    const rule = proof?.kind === 'excluded' && !isOtherType ? { rule: proof.rule } : notText;
    if (claimsKnownType(declaredType)) throw new Failure('FILE_TYPE_MISMATCH', rule);
    throw notAllowed(purpose, rule);
  }
  const type = reconcile(declaredType, proof.type, name);
  if (type === undefined && isUnknown && carriers.has(proof.type)) throw notAllowed(purpose, {});
  if (type === undefined) throw new Failure('FILE_TYPE_MISMATCH', { ...notText, type: shortNameOf(proof.type) });
  // Before the type: no other purpose accepts it either.
  if (proof.kind === 'excluded') throw notAllowed(purpose, { rule: proof.rule });
  if (!purpose.types.includes(type)) throw notAllowed(purpose, { type, proof });
  if (proof.kind === 'corrupt') {
    const failure = new Failure('FILE_CORRUPT');
    failure.cause = `${type}: ${proof.reason}`;
    throw failure;
  }
  const pieces = planStrip(type, file);
  if (pieces !== undefined && 'rule' in pieces) throw notAllowed(purpose, pieces);
  checkPixels(proof, purpose);
  const { width, height } = proof;
  const charset = proof.charset && chooseCharset(file, proof.charset, charsetOf(declaredType));
  return { examined: { type, name: cleanFileName(name, type), width, height, charset }, pieces };
}

/**
 * A few bytes without a control character prove nothing if they are no Unicode, and mostly not ASCII. Then the client must say that
 * they are text.
 */
function proveType(file: FileBytes, declaredType: string | undefined, name: string | undefined): Proof | undefined {
  const proof = proveMediaType(file);
  const isFew = proof !== undefined && is8BitText(proof) && file.size < fewBytes;
  const isDoubtful = isFew && file.read(0, fewBytes).filter((byte) => byte > 0x7f).length > file.size / 2;
  return isDoubtful && !claimsText(declaredType) && !isTextName(name) ? undefined : proof;
}

function checkPixels(proof: Extract<Proof, { kind: 'proved' }>, purpose: Purpose): void {
  if (!hasTooManyPixels(proof, purpose)) return;
  const { maxPixels, maxSide } = purpose;
  const limits = [maxPixels && `${Math.round(maxPixels / 1e6)} MP`, maxSide && `${maxSide} px`].filter(
    (limit) => limit !== undefined,
  );
  throw new Failure('FILE_IMAGE_TOO_LARGE', { limit: limits.join(', ') });
}

type Reason = { readonly rule?: FileRule; readonly type?: MediaType; readonly proof?: Proof };

/** Another purpose might accept a whole file. It would refuse one that is damaged, or that a rule excludes. */
function notAllowed({ types }: Purpose, { rule, type, proof }: Reason): Failure {
  return new Failure('FILE_TYPE_NOT_ALLOWED', {
    list: types.map(shortNameOf).join(', '),
    ...(rule !== undefined && { rule }),
    ...(type !== undefined && { type: shortNameOf(type) }),
    ...(type !== undefined &&
      proof?.kind === 'proved' && { whole: { type, width: proof.width, height: proof.height } }),
  });
}
