// Logs for a person at a terminal: one readable line per event, with colours. Only the pieces of this file cost formatting.
import type { DestinationStream } from 'pino';
import type { Log, LogFields } from '../../kernel/process/telemetry.ts';
import { escapeControls } from '../../kernel/text/plain-text.ts';
import { type Piece, paint, type Style } from '../../kernel/text/terminal-style.ts';
import { cleanFacts, type LoggedError } from './log-facts.ts';
import { openStdout } from './pino-log.ts';

type Level = Exclude<keyof Log, 'isOn'>;

export type PrettyOptions = {
  readonly hasColour: boolean;
  /** The number of the worker that writes, if there are several. */
  readonly worker?: number | undefined;
  readonly now?: () => Date;
};

/** As pino orders them. `fatal` and `silent` exclude every level that we write. */
const severities: Readonly<Record<Level, number>> = { debug: 20, info: 30, warn: 40, error: 50 };
const leasts: Readonly<Record<string, number>> = { trace: 10, fatal: 60, silent: 99, ...severities };

const levelStyles: Readonly<Record<Level, Style>> = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' };

export function createPrettyLog(
  level: string,
  { hasColour, worker, now = () => new Date() }: PrettyOptions,
  target: DestinationStream = openStdout(),
): Log {
  const least = leasts[level] ?? severities.info;
  const mark: readonly Piece[] = worker === undefined ? [] : [{ text: `worker ${worker} `, style: 'dim' }];
  const isOn = (name: Level) => severities[name] >= least;
  const write =
    (name: Level) =>
    (event: string, facts: LogFields = {}) => {
      if (!isOn(name)) return;
      const start: Piece[] = [
        { text: now().toTimeString().slice(0, 8), style: 'dim' },
        ' ',
        { text: name.padEnd(5), style: levelStyles[name] },
        ' ',
        ...mark,
      ];
      target.write(paint([...start, ...writeEvent(event, cleanFacts(facts)), '\n'], hasColour));
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), isOn };
}

function writeEvent(event: string, facts: LogFields): Piece[] {
  const { error, ...others } = facts;
  const said = event === 'request' ? writeRequest(others) : [oneLine(event), ...writeFacts(others)];
  return isError(error) ? [...said, ...writeError(error)] : said;
}

/** The line that there are most of. Its request id is only of use if something is wrong. */
function writeRequest(facts: LogFields): Piece[] {
  const { method, route, status, seconds, requestId, ...others } = facts;
  const milliseconds = typeof seconds === 'number' ? Math.max(1, Math.round(seconds * 1000)) : 0;
  const rest = Number(status) >= 500 ? { ...others, requestId } : others;
  return [
    `${oneLine(String(method))} ${oneLine(String(route))} `,
    { text: oneLine(String(status)), style: statusStyle(Number(status)) },
    { text: ` ${milliseconds} ms`, style: 'dim' },
    ...writeFacts(rest),
  ];
}

function statusStyle(status: number): Style {
  if (status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
}

function writeFacts(facts: LogFields): Piece[] {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [{ text: ` ${oneLine(name)}=`, style: 'dim' as const }, writeValue(value)]);
}

/** A text of several words is in quotes, so that it cannot look like the next fact. */
function writeValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? oneLine(value) : oneLine(JSON.stringify(value));
  return oneLine(JSON.stringify(value) ?? String(value));
}

/** The lines of a stack are indented, so that none looks like an event. */
function writeError({ stack, message }: LoggedError): Piece[] {
  const lines = (stack === '' ? message : stack).split('\n');
  return lines.map((line) => ({ text: `\n    ${line.trim()}`, style: 'dim' }));
}

function isError(value: unknown): value is LoggedError {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value;
}

/** A line break in a value must not begin a line of the log. */
function oneLine(text: string): string {
  return escapeControls(text);
}
