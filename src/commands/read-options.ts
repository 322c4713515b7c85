// Reads figures that options carry; says how to write them when they cannot be read.
import { parseDuration } from '../config/units.ts';
import { CommandError } from './command-error.ts';

export function readLimit(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new CommandError('--limit takes a whole number from 1 to 10000', 2);
  return limit;
}

/** The time that lies so long before now. */
export function readSince(text: string | undefined, fallback: string, now: number): number {
  const seconds = parseDuration(text ?? fallback);
  if (seconds === undefined) throw new CommandError('--since takes a time such as 30m, 24h or 7d', 2);
  return now - seconds * 1000;
}
