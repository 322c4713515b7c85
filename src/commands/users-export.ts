// The command `users export`: everything that is kept about a person, as JSON; with --files their files too, into a folder.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findPerson } from '../auth/find-person.ts';
import { tracePerson } from '../auth/trace-person.ts';
import type { StoredFile } from '../files/stored-file.ts';
import type { Counter, Desk, Verb } from './desk.ts';
import { userData } from './show-user.ts';
import { isoTime } from './write-text.ts';

const pageSize = 500;
const mostEvents = 10_000;

export const usersExport: Verb = async (desk, [who = ''], options) => {
  const by = desk.act();
  const counter = await desk.open();
  const person = await findPerson(counter, who);
  const { id: userId } = person;
  const now = counter.clock.now();
  await counter.audit.record({ kind: 'user.exported', userId, detail: { ...by }, now });
  const sessions = await counter.sessions.listSessions({ userId, now });
  const files = await listAll(counter, userId);
  const range = { since: 0, most: mostEvents };
  const timeline = await tracePerson({ ...counter, secrets: desk.secrets() }, person, range);
  const data = {
    user: userData(person, true),
    sessions: sessions.map(({ id, createdAt, lastUsedAt, userAgent }) => ({
      id,
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

async function listAll({ files }: Counter, userId: string): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  for (;;) {
    const page = await files.listFiles({ userId, before: all.at(-1), most: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

async function copyFiles(desk: Desk, files: readonly StoredFile[], folder: string): Promise<void> {
  const blobs = await desk.blobs();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { id, name, size } of files) {
    const source = await blobs.read(id, { start: 0, end: size - 1 }, size);
    // Names are clean of paths when they are stored; the id keeps two of one name apart.
    await pipeline(source, createWriteStream(join(folder, `${id} ${name}`), { flags: 'wx', mode: 0o600 }));
  }
  desk.say(`${files.length} files written to ${folder}.`);
}
