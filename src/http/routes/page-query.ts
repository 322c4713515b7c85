// A page of a list of users or files: its query, and how large a page may be.
import { Failure } from '../../kernel/failure.ts';
import { object, text } from '../interface/schema.ts';

const largestPage = 100;
const defaultPage = 50;

export const pageQuery = object({}, { cursor: text({ maxLength: 128 }), limit: text({ maxLength: 5 }) });

export function readPage({ cursor, limit }: { readonly cursor?: string; readonly limit?: string }) {
  const wanted = Number(limit ?? defaultPage);
  if (!Number.isInteger(wanted) || wanted < 1) throw new Failure('REQUEST_INVALID', { field: 'limit' });
  return { cursor, limit: Math.min(wanted, largestPage) };
}
