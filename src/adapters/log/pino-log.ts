// Structured logs on stdout, one JSON line per event, for programs.
import { type DestinationStream, destination, pino } from 'pino';
import type { Log, LogFields } from '../../kernel/process/telemetry.ts';
import { cleanFacts } from './log-facts.ts';

/** The maximum buffer while the log cannot be written. Further lines are dropped. */
const maxBufferBytes = 2 ** 20;

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
      if (logger.isLevelEnabled(name)) logger[name](cleanFacts(facts), event);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    isOn: (name) => logger.isLevelEnabled(name),
  };
}

/** A line is written without waiting: a log that nobody reads must not hold the service. */
export function openStdout(): DestinationStream {
  const stream = destination({ dest: 1, sync: false, minLength: 0, maxLength: maxBufferBytes });
  // A full disk under the log must not end the service. The next line tries again.
  stream.on('error', () => undefined);
  return stream;
}
