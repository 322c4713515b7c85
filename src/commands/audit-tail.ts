// The command `audit tail`: the latest audit events, oldest first, one a line; with --follow also what comes.
import { setTimeout as sleep } from 'node:timers/promises';
import { findNearest } from '../config/suggest-setting.ts';
import { type AuditKind, type AuditQuery, auditKinds, type StoredEvent } from '../kernel/audit.ts';
import { CommandError } from './command-error.ts';
import type { OperatorContext, Verb } from './operator-context.ts';
import { readLimit, readSince } from './read-options.ts';
import { isoTime, writeDetail, writeTime } from './write-text.ts';

const pauseMilliseconds = 500;
/** Ids are made before the commit and by clocks that differ a little: one may come to light after a younger one. */
const overlapMilliseconds = 10_000;
const mostAtOnce = 10_000;

export const auditTail: Verb = async (context, _, options) => {
  const kind = options.kind === undefined ? undefined : readKind(options.kind);
  const { audit, clock } = await context.open();
  const narrow: Partial<AuditQuery> = {
    ...(options.user !== undefined && { userId: options.user }),
    ...(kind !== undefined && { kind }),
  };
  const since = readSince(options.since, '90d', clock.now());
  const first = await audit.list({ ...narrow, since, most: readLimit(options.limit, 50) });
  for (const event of first.toReversed()) print(context, event);
  const begun = clock.now() - overlapMilliseconds;
  const seen = new Set((await audit.list({ ...narrow, since: begun, most: mostAtOnce })).map(({ id }) => id));
  for (const { id } of first) seen.add(id);
  while (options.follow) {
    await sleep(pauseMilliseconds);
    const from = clock.now() - overlapMilliseconds;
    const latest = await audit.list({ ...narrow, since: from, most: mostAtOnce });
    for (const event of latest.toReversed()) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      print(context, event);
    }
  }
  return 0;
};

function readKind(text: string): AuditKind {
  const known = auditKinds.find((kind) => kind === text);
  if (known !== undefined) return known;
  const meant = findNearest(text, auditKinds);
  const cure = meant === undefined ? `Kinds are ${auditKinds.join(', ')}.` : `Did you mean ${meant}?`;
  throw new CommandError(`There is no kind of event called ${text}. ${cure}`, 2);
}

function print(
  context: OperatorContext,
  { id, at, kind, userId, detail: { recipient: _, ...detail } }: StoredEvent,
): void {
  const text = [writeTime(at), kind.padEnd(16), userId ?? '-', writeDetail(detail)].join('  ');
  context.show({ id, at: isoTime(at), kind, userId: userId ?? null, detail }, text.trimEnd());
}
