// Structured logs on stdout, one JSON line an event, with anything that looks like a secret or a person blotted out.
import { type DestinationStream, destination, pino } from 'pino';
import { escapeAllButLines } from '../../kernel/plain-text.ts';
import type { Facts, Log } from '../../kernel/telemetry.ts';

/** What a log that cannot be written holds back at most; what is more is lost. */
const mostHeldBytes = 2 ** 20;
/** Of one value: what a stranger sent must not make a line without end. */
const longestText = 4096;

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
    (event: string, facts: Facts = {}) => {
      if (logger.isLevelEnabled(name)) logger[name](clean(facts), event);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function openStdout(): DestinationStream {
  const stream = destination({ dest: 1, sync: false, minLength: 0, maxLength: mostHeldBytes });
  // A full disk under the log is no reason to end the service; the next line tries again.
  stream.on('error', () => undefined);
  return stream;
}

function clean(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, cleanValue(value)]));
}

/** Only name, code, message and stack of an error: drivers hang the offending values on it as further fields. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return blot(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack } = value;
  const { code } = value as NodeJS.ErrnoException;
  return { name, ...(code !== undefined && { code }), message: blot(message), stack: blot(stack ?? '') };
}

/** E-mail addresses, phone numbers, JWTs and other long tokens, one-time codes. Each is looked for where a run begins: elsewhere a long line would cost its square. */
export function blot(text: string): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return escapeAllButLines(shown)
    .replaceAll(/(?<![^\s@<>"'=])[^\s@<>"'=]+@[^\s@<>"']+\.[a-z]{2,}/gi, '[address]')
    .replaceAll(/\+\d[\d\s().-]{5,}\d/g, '[phone]')
    .replaceAll(/(?<![\w-])[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/g, '[token]')
    .replaceAll(/(?<![\w/.-])[A-Za-z0-9_-]{43,}(?![\w/])/g, '[token]')
    .replaceAll(/(?<![\w:.-])\d{6}(?![\w:.-])/g, '[code]');
}
