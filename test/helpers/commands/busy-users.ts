// Users who sign in, upload and delete while a command runs, and the calls that tests use to check their files.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { enter } from '../people/users.ts';
import { call, newPhone } from '../requests/api.ts';
import { storeFile } from '../requests/upload.ts';

export type Kept = { readonly id: string; readonly bytes: Buffer };

export async function keepFile(url: string, token: string, bytes = someText()): Promise<Kept> {
  const { id } = await storeFile(url, { token, purpose: 'document', name: 'a.csv', type: 'text/csv', bytes });
  return { id, bytes };
}

function someText(): Buffer {
  return Buffer.from(`key,value\n${randomBytes(300).toString('hex')},1\n`);
}

export function deleteFile(url: string, token: string, id: string) {
  return call(url, 'DELETE', `/api/file/${id}`, { token });
}

export async function fetchFile(url: string, token: string, id: string): Promise<Buffer | undefined> {
  const response = await fetch(`${url}/file/${id}`, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.status === 200 ? bytes : undefined;
}

export async function listIds(url: string, token: string): Promise<string[]> {
  const { body } = await call(url, 'GET', '/api/file', { token });
  return body.data.files.map(({ id }: { id: string }) => id);
}

/** Starts at once. `stop` waits until every user has finished the current round and returns the number of rounds. */
export function keepBusy(url: string, users: number): { stop(): Promise<number> } {
  let isOver = false;
  let rounds = 0;
  const live = async () => {
    while (!isOver) {
      const { JWT } = await enter(url, newPhone());
      const [first] = [await keepFile(url, JWT), await keepFile(url, JWT)];
      assert.equal((await deleteFile(url, JWT, first.id)).status, 200);
      rounds += 1;
    }
  };
  const lives = Array.from({ length: users }, live);
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(lives);
      return rounds;
    },
  };
}
