// Creates a unique text for idempotency keys and tab names. It is not random enough for secrets.

/** Insecure contexts and some mobile engines do not provide randomUUID. */
export function newKey(): string {
  if (typeof crypto === 'object' && typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 10)).join('');
}
