// The command `users export`: prints all stored data of a user as JSON. With --files it also writes the files into a folder.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from '../../files/stored-file.ts';
import { exportUser } from '../../support/export-user.ts';
import { claimPlace } from '../claim-data-dir.ts';
import type { Command } from '../declarations.ts';
import type { OperatorContext } from '../operator-context.ts';
import { countOf, isoTime } from '../write-text.ts';
import { userData } from './write-user.ts';

export const usersExport: Command<'users export'> = async (context, { who, reason, files: folder }) => {
  const by = context.act(reason);
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
  if (folder !== undefined) await copyFiles(context, files, folder);
  context.show(data, JSON.stringify(data, null, 2));
  return 0;
};

async function copyFiles(context: OperatorContext, files: readonly StoredFile[], folder: string): Promise<void> {
  const blobs = await context.blobs();
  claimPlace(folder, '--files');
  for (const { id, name, size } of files) {
    const source = await blobs.read(id, { start: 0, end: size - 1 }, size);
    // Stored names contain no path. The id distinguishes files of the same name.
    await pipeline(source, createWriteStream(join(folder, `${id} ${name}`), { flags: 'wx', mode: 0o600 }));
  }
  context.say(`${countOf(files.length, 'file')} written to ${folder}.`);
}
