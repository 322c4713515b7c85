// A text that nobody else has: for idempotency keys and names of tabs, never for secrets.

/** Without a secure context, and in some mobile engines, there is no randomUUID. */
export function newKey(): string {
  if (typeof crypto === 'object' && typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 10)).join('');
}
