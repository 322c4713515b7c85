// The command `users export`: everything that is kept about a person, as JSON; with --files their files too, into a folder.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from '../files/stored-file.ts';
import { exportUser } from '../support/export-user.ts';
import { claimPlace } from './claim-data-dir.ts';
import type { OperatorContext, Verb } from './operator-context.ts';
import { userData } from './show-user.ts';
import { isoTime } from './write-text.ts';

export const usersExport: Verb = async (context, [who = ''], options) => {
  const by = context.act();
  const store = await context.open();
  const input = { who, by };
  const { user, sessions, files, timeline } = await exportUser({ ...store, secrets: context.secrets() }, input);
  const data = {
    user: userData(user, true),
    sessions: sessions.map(({ id, createdAt, lastUsedAt, userAgent, address }) => ({
      id,
      address: address ?? null,
      createdAt: isoTime(createdAt),
      lastUsedAt: isoTime(lastUsedAt),
      userAgent: userAgent ?? null,
    })),
    files: files.map(({ userId: _, createdAt, ...file }) => ({ ...file, createdAt: isoTime(createdAt) })),
    timeline: timeline.map(({ at, ...entry }) => ({ at: isoTime(at), ...entry })),
  };
  if (options.files !== undefined) await copyFiles(context, files, options.files);
  context.show(data, JSON.stringify(data, null, 2));
  return 0;
};

async function copyFiles(context: OperatorContext, files: readonly StoredFile[], folder: string): Promise<void> {
  const blobs = await context.blobs();
  claimPlace(folder, '--files');
  for (const { id, name, size } of files) {
    const source = await blobs.read(id, { start: 0, end: size - 1 }, size);
    // Names are clean of paths when they are stored; the id keeps two of one name apart.
    await pipeline(source, createWriteStream(join(folder, `${id} ${name}`), { flags: 'wx', mode: 0o600 }));
  }
  context.say(`${files.length} files written to ${folder}.`);
}
