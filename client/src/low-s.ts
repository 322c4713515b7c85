// Checks that an ES256 signature has the lower of its two valid s values. The service never issues (r, n - s).

/** Half of the order of P-256, big-endian: the highest allowed s. */
const highest = [
  ...[0x7f, 0xff, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  ...[0xde, 0x73, 0x7d, 0x56, 0xd3, 0x8b, 0xcf, 0x42, 0x79, 0xdc, 0xe5, 0x61, 0x7e, 0x31, 0x92, 0xa8],
];

export function isLowS(signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  const at = highest.findIndex((byte, index) => signature[32 + index] !== byte);
  return at < 0 || (signature[32 + at] ?? 0) < (highest[at] ?? 0);
}
