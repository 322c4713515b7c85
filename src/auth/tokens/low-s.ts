// Low-s ECDSA signatures: (r, s) and (r, n - s) are both valid, so the service writes and accepts only the lower s.

/** The order n of P-256, and n / 2 rounded down. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const highest = Buffer.from('7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8', 'hex');
const partLength = highest.length;

/** The signature is r and s, 32 bytes each. */
export function isLowS(signature: Buffer): boolean {
  return signature.length === 2 * partLength && signature.compare(highest, 0, partLength, partLength) <= 0;
}

export function toLowS(signature: Buffer): Buffer {
  if (isLowS(signature)) return signature;
  const s = BigInt(`0x${signature.toString('hex', partLength)}`);
  const lower = (order - s).toString(16).padStart(2 * partLength, '0');
  return Buffer.concat([signature.subarray(0, partLength), Buffer.from(lower, 'hex')]);
}
