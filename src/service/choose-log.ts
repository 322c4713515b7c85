// Composition: the log for programs, or the one for a person at a terminal.
import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import { createPinoLog } from '../adapters/log/pino-log.ts';
import { createPrettyLog } from '../adapters/log/pretty-log.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import { usesColour } from '../kernel/text/terminal-style.ts';

const stdout = 1;

export function chooseLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Log {
  const isTerminal = isatty(stdout);
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isTerminal);
  if (!isPretty) return createPinoLog(logLevel);
  return createPrettyLog(logLevel, { hasColour: usesColour(process.env, isTerminal), worker: cluster.worker?.id });
}
