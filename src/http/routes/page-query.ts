// A page of a list: its query, and how large a page may be.
import { Failure } from '../../kernel/failure.ts';
import { object, text } from '../interface/schema.ts';

const largestPage = 100;
const defaultPage = 50;

export const limitField = text({
  maxLength: 9,
  description: 'A larger number than the largest page gives the largest page.',
});

export const pageQuery = object({}, { cursor: text({ maxLength: 128 }), limit: limitField });

export function readPage({ cursor, limit }: { readonly cursor?: string; readonly limit?: string }) {
  return { cursor, limit: readLimit(limit, { usual: defaultPage, largest: largestPage }) };
}

/** The rule of every list. The cursor leads on, so nobody misses what a smaller page leaves out. */
export function readLimit(
  text: string | undefined,
  pages: { readonly usual: number; readonly largest: number },
): number {
  const wanted = Number(text ?? pages.usual);
  if (!Number.isInteger(wanted) || wanted < 1) throw new Failure('REQUEST_INVALID', { field: 'limit' });
  return Math.min(wanted, pages.largest);
}
