// The command `audit tail`: prints the latest audit events, oldest first, one per line. With --follow it goes on with new ones.

import { setTimeout as sleep } from 'node:timers/promises';
import { findNearest } from '../../config/suggest-setting.ts';
import { type AuditKind, type AuditQuery, auditKinds, type StoredEvent } from '../../kernel/audit.ts';
import { readUserId } from '../../kernel/ids.ts';
import { maskDetail } from '../../kernel/text/mask.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import type { OperatorContext } from '../operator-context.ts';
import { isoTime, writeDetail, writeTime } from '../write-text.ts';

const pauseMilliseconds = 500;
/** Ids are created before the commit, and clocks of nodes differ a little: an event may appear after a newer one. */
const overlapMilliseconds = 10_000;
const mostAtOnce = 10_000;

export const auditTail: Command<'audit tail'> = async (context, input) => {
  const { kind: kindText, user, since, limit, follow, reveal, reason } = input;
  const by = reveal ? context.act(reason) : undefined;
  const kind = kindText === undefined ? undefined : readKind(kindText);
  const { audit, clock } = await context.open();
  const userId = user === undefined ? undefined : readUserId(user);
  const narrow: Partial<AuditQuery> = {
    ...(userId !== undefined && { userId }),
    ...(kind !== undefined && { kind }),
  };
  // Nothing happened to the user of a text that is no id.
  const list = async (range: Pick<AuditQuery, 'since' | 'most'>) =>
    user !== undefined && userId === undefined ? [] : audit.list({ ...narrow, ...range });
  const first = await list({ since: clock.now() - since, most: limit });
  if (by !== undefined) {
    const detail = { ...by, events: first.length };
    await audit.record({
      kind: 'user.revealed',
      ...(userId !== undefined && { userId }),
      detail,
      now: clock.now(),
    });
  }
  const print = ({ detail, ...event }: StoredEvent) =>
    printEvent(context, { ...event, detail: reveal ? detail : maskDetail(detail) });
  for (const event of first.toReversed()) print(event);
  const begun = clock.now() - overlapMilliseconds;
  const seen = new Set((await list({ since: begun, most: mostAtOnce })).map(({ id }) => id));
  for (const { id } of first) seen.add(id);
  while (follow) {
    await sleep(pauseMilliseconds);
    const from = clock.now() - overlapMilliseconds;
    const latest = await list({ since: from, most: mostAtOnce });
    for (const event of latest.toReversed()) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      print(event);
    }
  }
  return 0;
};

export function readKind(text: string): AuditKind {
  const known = auditKinds.find((kind) => kind === text);
  if (known !== undefined) return known;
  const meant = findNearest(text, auditKinds);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new CommandError(`There is no kind of event called ${text}.${guess} Kinds: ${auditKinds.join(', ')}.`, 2);
}

function printEvent(
  context: OperatorContext,
  { id, at, kind, userId, detail: { recipient: _, ...detail } }: StoredEvent,
): void {
  const text = [writeTime(at), kind.padEnd(16), userId ?? '-', writeDetail(detail)].join('  ');
  context.show({ id, at: isoTime(at), kind, userId: userId ?? null, detail }, text.trimEnd());
}
