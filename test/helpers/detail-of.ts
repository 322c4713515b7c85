// The detail of a failure whose code a test compares elsewhere, or not at all.
import type { AnyDetail } from '../../src/kernel/failure.ts';

export function detailOf({ detail }: { readonly detail: AnyDetail }): AnyDetail {
  return detail;
}
