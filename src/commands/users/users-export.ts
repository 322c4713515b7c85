// The command `users export`: prints all stored data of a user as JSON. With --files it also writes the files into a folder.

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { staffView } from '../../auth/directory/user-views.ts';
import { isPlainFileName } from '../../files/file-name.ts';
import type { StoredFile } from '../../files/stored-file.ts';
import type { FileId } from '../../kernel/ids.ts';
import { exportUser } from '../../support/users/export-user.ts';
import { claimPlace } from '../claim-data-dir.ts';
import type { Command } from '../declarations.ts';
import { fileTimes } from '../files/file-times.ts';
import type { OperatorContext } from '../operator-context.ts';
import { countOf, isoTime } from '../write-text.ts';
import { shownUserData } from './write-user.ts';

export const usersExport: Command<'users export'> = async (context, { who, reason, files: folder }) => {
  const by = context.act(reason);
  const store = await context.open();
  const input = { who, by };
  const exported = await exportUser({ ...store, secrets: context.secrets() }, input);
  const { sessions, files, timeline, allowed } = exported;
  const data = {
    user: { ...shownUserData(exported, true), ...staffView(exported.user, true).appData },
    sessions: sessions.map(({ id, createdAt, lastUsedAt, userAgent, address, appId }) => ({
      id,
      address: address ?? null,
      createdAt: isoTime(createdAt),
      lastUsedAt: isoTime(lastUsedAt),
      userAgent: userAgent ?? null,
      app: appId ?? null,
    })),
    allowedApps: allowed.map(({ appId: id, scopes, createdAt }) => ({ id, scopes, allowedAt: isoTime(createdAt) })),
    files: files.map(({ userId: _, createdAt, ...file }) => ({
      ...file,
      createdAt: isoTime(createdAt),
      ...fileTimes(file),
    })),
    timeline: timeline.map(({ at, ...entry }) => ({ at: isoTime(at), ...entry })),
  };
  if (folder !== undefined) await copyFiles(context, files, folder);
  context.show(data, JSON.stringify(data, null, 2));
  return 0;
};

/** The id distinguishes files of the same name. A name that is no plain one could lead out of the folder, or be too long with the id. */
function nameOf(id: FileId, name: string): string {
  const whole = `${id} ${name}`;
  return isPlainFileName(name) && isPlainFileName(whole) ? whole : id;
}

async function copyFiles(context: OperatorContext, files: readonly StoredFile[], folder: string): Promise<void> {
  const blobs = await context.blobs();
  claimPlace(folder, '--files');
  for (const { id, name, size } of files) {
    const source = await blobs.read(id, { start: 0, end: size - 1 }, size);
    await pipeline(source, createWriteStream(join(folder, nameOf(id, name)), { flags: 'wx', mode: 0o600 }));
  }
  context.say(`${countOf(files.length, 'file')} written to ${folder}.`);
}
