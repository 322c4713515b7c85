// The logo of a brand: a small SVG or PNG from a file beside BRAND_FILE. It is served from an address of its own.
import { sha256 } from '../kernel/crypto/digest.ts';
import { findSvgProblems } from './svg.ts';

/** Reads at most this many bytes of a file, whose path may be relative to BRAND_FILE. Throws if it cannot. */
export type ReadBeside = (path: string, longest: number) => Buffer;

export type LogoFile = {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly base64: string;
  /** Changes with the content. */
  readonly hash: string;
};

/** What is wrong, and what to write. */
type LogoProblem = { readonly trouble: string; readonly cure: string };

export const longestLogo = 100_000;

const widestPng = 4096;
const pngStart = '\x89PNG\r\n\x1a\n';
const pathCure = 'write the path of an SVG or PNG file, relative to this file, such as "logo.svg"';

export function readLogo(
  value: unknown,
  readBeside: ReadBeside,
): { readonly logo: LogoFile } | { readonly problems: readonly LogoProblem[] } {
  const fail = (trouble: string, cure: string) => ({ problems: [{ trouble, cure }] });
  if (typeof value !== 'string' || value === '' || value.length > 1024) return fail('is not a path', pathCure);
  // A picture from another server would tell that server who signs in.
  if (/^(?:[a-z][a-z0-9+.-]+:\/\/|data:)/i.test(value)) return fail('is an address', pathCure);
  let bytes: Buffer;
  try {
    bytes = readBeside(value, longestLogo + 1);
  } catch {
    return fail('names a file that cannot be read', 'check the path, relative to this file, and its permissions');
  }
  if (bytes.length > longestLogo)
    return fail(
      'names a file of more than 100 KB',
      'export it smaller: SVG without embedded pictures, PNG 512 pixels wide',
    );
  const isPng = bytes.subarray(0, 8).toString('latin1') === pngStart;
  const problems = isPng ? findPngProblems(bytes) : findSvgProblems(bytes.toString('utf8'));
  if (problems.length > 0) return { problems };
  const type = isPng ? 'image/png' : 'image/svg+xml';
  return { logo: { type, base64: bytes.toString('base64'), hash: sha256(bytes).slice(0, 22) } };
}

/** The chunks must fill the file, from its head to its end. */
function findPngProblems(bytes: Buffer): LogoProblem[] {
  const broken = [{ trouble: 'names a PNG that is damaged', cure: 'export it again' }];
  let at = pngStart.length;
  let type = '';
  // The head with its two sides is read below.
  if (bytes.length < 33) return broken;
  while (at + 12 <= bytes.length) {
    const isFirst = type === '';
    type = bytes.toString('latin1', at + 4, at + 8);
    if (isFirst !== (type === 'IHDR')) return broken;
    if (isFirst) {
      const sides = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
      if (bytes.readUInt32BE(at) !== 13 || sides.includes(0)) return broken;
      if (Math.max(...sides) > widestPng)
        return [{ trouble: `names a PNG that is wider or higher than ${widestPng} pixels`, cure: 'export it smaller' }];
    }
    at += 12 + bytes.readUInt32BE(at);
    if (type === 'IEND') break;
  }
  return at === bytes.length && type === 'IEND' ? [] : broken;
}
