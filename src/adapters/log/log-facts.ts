// What may stand in a log: masks everything that looks like a secret or personal data, and keeps only the plain parts of errors.

import type { LogFields } from '../../kernel/process/telemetry.ts';
import { escapeAllButLines } from '../../kernel/text/plain-text.ts';

/** The maximum length of one value. A client must not be able to write endless lines. */
const maxTextLength = 4096;

/** An error as the log shows it. */
export type LoggedError = {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack: string;
};

export function cleanFacts(facts: LogFields): LogFields {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, cleanValue(value)]));
}

/** Logs only the name, code, message and stack of an error. Drivers attach the offending values as further fields. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return blot(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack } = value;
  const { code } = value as NodeJS.ErrnoException;
  return {
    name,
    ...(code !== undefined && { code }),
    message: blot(message),
    stack: blot(stack ?? ''),
  } satisfies LoggedError;
}

/**
 * Masks e-mail addresses, phone numbers, JWTs and other long tokens, and one-time codes.
 * The look-behinds make each pattern start at the beginning of a run. Without them, a long line would take quadratic time.
 */
export function blot(text: string): string {
  const shown = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return escapeAllButLines(shown)
    .replaceAll(/(?<![^\s@<>"'=])[^\s@<>"'=]+@[^\s@<>"']+\.[a-z]{2,}/gi, '[address]')
    .replaceAll(/\+\d[\d\s().-]{5,}\d/g, '[phone]')
    .replaceAll(/(?<![\w-])[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/g, '[token]')
    .replaceAll(/(?<![\w/.-])[A-Za-z0-9_-]{43,}(?![\w/])/g, '[token]')
    .replaceAll(/(?<![\w:.-])\d{6}(?![\w:.-])/g, '[code]');
}
