// The command `users show`: one person with sessions, files and what happened to them.

import { formatBytes } from '../kernel/format-bytes.ts';
import { showUser } from '../support/show-user.ts';
import { traceUser } from '../support/trace-user.ts';
import type { Verb } from './operator-context.ts';
import { readLimit, readSince } from './read-options.ts';
import { reveals, userData } from './show-user.ts';
import { isoTime, writeDetail, writeTable, writeTime } from './write-text.ts';

export const usersShow: Verb = async (context, [who = ''], options) => {
  const store = await context.open();
  const { user, sessions: alive, usage } = await showUser(store, who);
  const range = { since: readSince(options.since, '30d', store.clock.now()), most: readLimit(options.limit, 50) };
  const { entries } = await traceUser({ ...store, secrets: context.secrets() }, user, range);
  const timeline = entries.slice(0, range.most);
  const shown = userData(user, await reveals(context, options, store, [user.id]));
  const data = {
    user: shown,
    sessions: alive.map(({ id, createdAt, lastUsedAt, userAgent }) => ({
      id,
      createdAt: isoTime(createdAt),
      lastUsedAt: isoTime(lastUsedAt),
      userAgent: userAgent ?? null,
    })),
    files: { count: usage.files, bytes: usage.bytes },
    timeline: timeline.map(({ at, ...entry }) => ({ at: isoTime(at), ...entry })),
  };
  const sessionRows = alive.map((one) => [one.id, writeTime(one.lastUsedAt), one.userAgent ?? '-']);
  const timeRows = timeline.map(({ at, kind, detail }) => [writeTime(at), kind, writeDetail(detail)]);
  const text = [
    ...Object.entries(shown).map(([name, value]) => `${name.padEnd(10)} ${value ?? '-'}`),
    `${'files'.padEnd(10)} ${usage.files} (${formatBytes(usage.bytes)})`,
    '',
    alive.length === 0 ? 'No sessions.' : writeTable(['session', 'last used', 'browser'], sessionRows),
    '',
    timeline.length === 0 ? 'Nothing happened of late.' : writeTable(['when', 'what', ''], timeRows),
  ];
  context.show(data, text.join('\n'));
  return 0;
};
