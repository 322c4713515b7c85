// Structured logs on stdout, one JSON line per event. It masks everything that looks like a secret or personal data.
import { type DestinationStream, destination, pino } from 'pino';
import { escapeAllButLines } from '../../kernel/plain-text.ts';
import type { Log, LogFields } from '../../kernel/telemetry.ts';

/** The maximum buffer while the log cannot be written. Further lines are dropped. */
const maxBufferBytes = 2 ** 20;
/** The maximum length of one value. A client must not be able to write endless lines. */
const maxTextLength = 4096;

export function createPinoLog(level: string, target: DestinationStream = openStdout()): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    target,
  );
  const write =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, facts: LogFields = {}) => {
      if (logger.isLevelEnabled(name)) logger[name](clean(facts), event);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function openStdout(): DestinationStream {
  const stream = destination({ dest: 1, sync: false, minLength: 0, maxLength: maxBufferBytes });
  // A full disk under the log must not end the service. The next line tries again.
  stream.on('error', () => undefined);
  return stream;
}

function clean(facts: LogFields): LogFields {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, cleanValue(value)]));
}

/** Logs only the name, code, message and stack of an error. Drivers attach the offending values as further fields. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return blot(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack } = value;
  const { code } = value as NodeJS.ErrnoException;
  return { name, ...(code !== undefined && { code }), message: blot(message), stack: blot(stack ?? '') };
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
