// Low-s ECDSA signatures: (r, s) and (r, n - s) are both valid, so the service writes and accepts only the lower s.

/** The order n of P-256. */
const order = 0xffff_ffff_0000_0000_ffff_ffff_ffff_ffff_bce6_faad_a717_9e84_f3b9_cac2_fc63_2551n;
const partLength = 32;

/** The signature is r and s, 32 bytes each. */
export function isLowS(signature: Buffer): boolean {
  return signature.length === 2 * partLength && readS(signature) <= order / 2n;
}

export function toLowS(signature: Buffer): Buffer {
  if (isLowS(signature)) return signature;
  const s = (order - readS(signature)).toString(16).padStart(2 * partLength, '0');
  return Buffer.concat([signature.subarray(0, partLength), Buffer.from(s, 'hex')]);
}

function readS(signature: Buffer): bigint {
  return BigInt(`0x${signature.toString('hex', partLength)}`);
}
