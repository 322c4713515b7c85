// The logo of an app: a small picture, from a file beside APPS_FILE or written in it. Pages show it as a data: URI.

/** Reads at most this many bytes of a file, whose path may be relative to APPS_FILE. Throws if it cannot. */
export type ReadLogo = (path: string, longest: number) => Buffer;

export const longestLogo = 64 * 1024;

const logoTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

type LogoType = (typeof logoTypes)[number];

type Logo = { readonly logo: string } | { readonly problem: string };

const cure = 'must be the path of a PNG, JPEG, WebP or SVG file, or such a picture as data:image/…;base64,…';

export function parseLogo(text: string, readLogo: ReadLogo): Logo {
  if (text.startsWith('data:')) return parseDataUri(text);
  // A picture from another server would tell that server who signs in.
  if (text === '' || text.length > 1024 || /^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { problem: cure };
  let bytes: Buffer;
  try {
    bytes = readLogo(text, longestLogo + 1);
  } catch {
    return { problem: `names a file that cannot be read: ${JSON.stringify(text)}` };
  }
  return fromBytes(bytes);
}

function parseDataUri(text: string): Logo {
  const comma = text.indexOf(',');
  const [type = '', encoding] = text.slice('data:'.length, comma).split(';');
  const base64 = text.slice(comma + 1);
  if (comma > 64 || encoding !== 'base64' || !logoTypes.some((each) => each === type)) return { problem: cure };
  if (base64.length > 2 * longestLogo) return { problem: tooLarge };
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return { problem: cure };
  return fromBytes(bytes);
}

const tooLarge = `must have at most ${longestLogo / 1024} KiB`;

function fromBytes(bytes: Buffer): Logo {
  if (bytes.length > longestLogo) return { problem: tooLarge };
  const type = typeOf(bytes);
  return type === undefined ? { problem: cure } : { logo: `data:${type};base64,${bytes.toString('base64')}` };
}

/** By the content, because the name of a file says nothing. */
function typeOf(bytes: Buffer): LogoType | undefined {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  const text = bytes.toString('utf8');
  return /^\uFEFF?\s*</.test(text) && text.includes('<svg') && text.includes('</svg>') ? 'image/svg+xml' : undefined;
}
