// The command `users show`: shows a user with sessions, files and recent events.
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { maskDetail } from '../../kernel/text/mask.ts';
import { showUser } from '../../support/users/show-user.ts';
import { traceUser } from '../../support/users/trace-user.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeDetail, writeTable, writeTime } from '../write-text.ts';
import { recordReveal, shownUserData } from './write-user.ts';

export const usersShow: Command<'users show'> = async (context, { who, since, limit, reveal, reason }) => {
  const store = await context.open();
  const found = await showUser(store, who);
  const { user, sessions: alive, usage } = found;
  const range = { since: store.clock.now() - since, most: limit };
  const { entries } = await traceUser({ ...store, secrets: context.secrets() }, user, range);
  const timeline = entries
    .slice(0, range.most)
    .map((entry) => (reveal ? entry : { ...entry, detail: maskDetail(entry.detail) }));
  if (reveal) await recordReveal(store, context.act(reason), [user.id]);
  const { apps } = context.config();
  // An app that is no longer listed is named by its id.
  const nameApp = (appId: string) => apps.find(({ id }) => id === appId)?.name ?? appId;
  const shown = shownUserData(found, reveal);
  const data = {
    user: shown,
    sessions: alive.map(({ id, createdAt, lastUsedAt, userAgent, appId }) => ({
      id,
      createdAt: isoTime(createdAt),
      lastUsedAt: isoTime(lastUsedAt),
      userAgent: userAgent ?? null,
      app: appId === undefined ? null : { id: appId, name: nameApp(appId) },
    })),
    files: {
      count: usage.files,
      bytes: usage.bytes,
      trash: { count: usage.trash.files, bytes: usage.trash.bytes },
      reserved: { count: usage.reserved.files, bytes: usage.reserved.bytes },
    },
    timeline: timeline.map(({ at, ...entry }) => ({ at: isoTime(at), ...entry })),
  };
  const sessionRows = alive.map((one) => [
    one.id,
    writeTime(one.lastUsedAt),
    one.appId === undefined ? '-' : nameApp(one.appId),
    one.userAgent ?? '-',
  ]);
  const timeRows = timeline.map(({ at, kind, detail }) => [writeTime(at), kind, writeDetail(detail)]);
  const text = [
    ...Object.entries(shown).map(([name, value]) => `${name.padEnd(11)} ${value ?? '-'}`),
    `${'files'.padEnd(11)} ${usage.files} (${formatBytes(usage.bytes)}), ${usage.trash.files} of them in the trash (${formatBytes(usage.trash.bytes)}); uploads in progress: ${usage.reserved.files} (${formatBytes(usage.reserved.bytes)})`,
    '',
    alive.length === 0 ? 'No sessions.' : writeTable(['session', 'last used', 'app', 'browser'], sessionRows),
    '',
    timeline.length === 0 ? 'No recent events.' : writeTable(['when', 'event', ''], timeRows),
  ];
  context.show(data, text.join('\n'));
  return 0;
};
