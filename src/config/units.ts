// Parses durations, sizes, counts and counts per time: 30s, 2GiB, 20, 5/1h.

const secondsOf = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 } as const;
const bytesOf = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
} as const;

/** In seconds. Undefined if the text is not a duration, or is shorter than one second or longer than ten years. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  const seconds = Number(match[1]) * secondsOf[match[2] as keyof typeof secondsOf];
  return seconds >= 1 && seconds <= 3650 * 86_400 ? seconds : undefined;
}

export function parseBytes(text: string): number | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)\s*([a-z]{0,3})$/i.exec(text.trim());
  if (match === null) return undefined;
  const factor = bytesOf[(match[2] || 'b').toLowerCase() as keyof typeof bytesOf];
  const bytes = factor === undefined ? Number.NaN : Math.floor(Number(match[1]) * factor);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

export function parseCount(text: string, least: number, most: number): number | undefined {
  if (!/^\d{1,12}$/.test(text.trim())) return undefined;
  const count = Number(text);
  return count >= least && count <= most ? count : undefined;
}

export type CountPerTime = { readonly count: number; readonly windowSeconds: number };

/** `5/1h,10/24h`. Undefined if any part is not count/duration. */
export function parseCountsPerTime(text: string): CountPerTime[] | undefined {
  const rules = text.split(',').map((part) => {
    const [count = '', window = '', ...more] = part.split('/');
    return more.length > 0 ? {} : { count: parseCount(count, 1, 1_000_000), windowSeconds: parseDuration(window) };
  });
  const valid = rules.filter(
    (rule): rule is CountPerTime => rule.count !== undefined && rule.windowSeconds !== undefined,
  );
  return valid.length === rules.length ? valid : undefined;
}
