// Low-s ECDSA signatures: (r, s) and (r, n - s) are both valid, so the service writes and accepts only the lower s.

/** The order n of P-256, and n / 2 rounded down. */
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
const highest = Buffer.from('7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8', 'hex');
const partLength = order.length;

/** The signature is r and s, 32 bytes each. */
export function isLowS(signature: Buffer): boolean {
  if (signature.length !== 2 * partLength) return false;
  // Nearly always the first byte decides.
  let at = 0;
  while (at < partLength && signature[partLength + at] === highest[at]) at += 1;
  return at === partLength || (signature[partLength + at] ?? 0) < (highest[at] ?? 0);
}

/** Subtracts byte by byte, far faster than with BigInt. A byte keeps the lowest eight bits of what is written to it. */
export function toLowS(signature: Buffer): Buffer {
  if (isLowS(signature)) return signature;
  const lower = Buffer.from(signature);
  let borrowed = 0;
  for (let at = partLength - 1; at >= 0; at -= 1) {
    const difference = (order[at] ?? 0) - (signature[partLength + at] ?? 0) - borrowed;
    lower[partLength + at] = difference;
    borrowed = difference < 0 ? 1 : 0;
  }
  return lower;
}
