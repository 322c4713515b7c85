// Reads what clamd answers to INSTREAM. Only the exact words for “clean”, after the whole file, mean that a file is clean.
import type { Verdict } from '../../files/uploads/scanner.ts';
import type { ClamdAnswer } from './clamd-connection.ts';
import { isLimit } from './clamd-limit.ts';

const longestSignature = 100;
const longestDetail = 200;

/** clamd names these with AlertExceedsMax: it found nothing, but did not scan the whole file. */
const limitNames = /^Heuristics\.Limits\.Exceeded\b/;

export const overLimit: Verdict = {
  kind: 'unscanned',
  trouble: 'limit',
  detail: 'the file is larger than StreamMaxLength of clamd',
};

/** `isSent`: clamd had the whole file before it answered. */
export function readVerdict({ text, isWhole }: ClamdAnswer, isSent: boolean): Verdict {
  const line = text.trimEnd();
  const found = /^stream: (.+) FOUND$/.exec(line)?.[1];
  if (found !== undefined)
    return limitNames.test(found)
      ? { kind: 'unscanned', trouble: 'limit', detail: `clamd did not scan the whole file: ${readable(found)}` }
      : { kind: 'infected', signature: nameOf(found) };
  if (line === 'stream: OK' && isWhole && isSent) return { kind: 'clean' };
  if (isLimit(line)) return overLimit;
  return { kind: 'unscanned', trouble: 'refused', detail: `clamd answered ${JSON.stringify(readable(line))}` };
}

/** Goes to events and webhooks, so it has only the characters that names of signatures have. */
function nameOf(text: string): string {
  return text.replaceAll(/[^\w.:/()-]/g, '_').slice(0, longestSignature);
}

function readable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, longestDetail);
}
