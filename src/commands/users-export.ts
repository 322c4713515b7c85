// The command `users export`: everything that is kept about a person, as JSON; with --files their files too, into a folder.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredFile } from '../files/stored-file.ts';
import { exportPerson } from '../support/export-user.ts';
import { claimPlace } from './claim-data-dir.ts';
import type { Desk, Verb } from './desk.ts';
import { userData } from './show-user.ts';
import { isoTime } from './write-text.ts';

export const usersExport: Verb = async (desk, [who = ''], options) => {
  const by = desk.act();
  const counter = await desk.open();
  const input = { who, by };
  const { person, sessions, files, timeline } = await exportPerson({ ...counter, secrets: desk.secrets() }, input);
  const data = {
    user: userData(person, true),
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
  if (options.files !== undefined) await copyFiles(desk, files, options.files);
  desk.show(data, JSON.stringify(data, null, 2));
  return 0;
};

async function copyFiles(desk: Desk, files: readonly StoredFile[], folder: string): Promise<void> {
  const blobs = await desk.blobs();
  claimPlace(folder, '--files');
  for (const { id, name, size } of files) {
    const source = await blobs.read(id, { start: 0, end: size - 1 }, size);
    // Names are clean of paths when they are stored; the id keeps two of one name apart.
    await pipeline(source, createWriteStream(join(folder, `${id} ${name}`), { flags: 'wx', mode: 0o600 }));
  }
  desk.say(`${files.length} files written to ${folder}.`);
}
