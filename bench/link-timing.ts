// The links to files whose answers bench/timing.ts compares: guesses, revoked and expired ones, each of them used once.

import { DatabaseSync } from 'node:sqlite';
import { writeLinkToken } from '../src/files/sharing/link-token.ts';
import { newFileId } from '../src/files/stored-file.ts';
import { randomPart, randomText } from '../src/kernel/crypto/random.ts';
import { createSecrets } from '../src/kernel/crypto/secrets.ts';
import { asFileId } from '../test/helpers/people/ids.ts';
import { call, readEnvelope } from '../test/helpers/requests/api.ts';
import { textFile } from '../test/helpers/uploads/sample-files.ts';

/** How many bytes of a token are not its MAC. */
const claimBytes = 22;

export type BadLinks = {
  /** The path of an unused one. */
  forged(): string;
  ofUnknownFile(): string;
  revoked(): string;
  expired(): string;
};

async function storeFile(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/api/file/upload?purpose=document&name=a`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: new Uint8Array(textFile),
  });
  return readEnvelope(await response.text()).data.id;
}

/** Links are made and revoked by the service. It makes none that has expired, so those are written into the database. */
export async function prepareLinks(
  { url, token, path, secret }: { url: string; token: string; path: string; secret: string },
  count: number,
): Promise<BadLinks> {
  // An owner has both files. Making a link removes the expired ones of its file.
  const [shared, spent] = [await storeFile(url, token), await storeFile(url, token)];
  const revoked: string[] = [];
  const at = `/api/file/${shared}/links`;
  while (revoked.length < count) {
    const { body } = await call(url, 'POST', at, { token, body: {} });
    revoked.push(new URL(body.data.url).searchParams.get('l') ?? '');
    const { status } = await call(url, 'DELETE', `${at}/${body.data.id}`, { token });
    if (status !== 200) fail(`a link was not revoked: ${status}`);
  }
  const add = (expiresAt: number, wanted: number) => addLinks(path, secret, { fileId: spent, expiresAt }, wanted);
  const thisSecond = Math.floor(Date.now() / 1000) * 1000;
  const expired = add(thisSecond - 1000, count);
  // Their end is all that is wrong with them: one that is written with a later end opens the file.
  const { status } = await fetch(`${url}/file/${spent}?l=${add(thisSecond + 3_600_000, 1)}`);
  if (status !== 200) fail(`a written link does not open: ${status}`);
  const [model = ''] = revoked;
  /** What anybody can know of a link, with a new id and MAC. */
  const forge = () => {
    const claim = Buffer.from(model, 'base64url').subarray(0, 10);
    return Buffer.concat([claim, randomPart(claimBytes - claim.length), randomPart(16)]).toString('base64url');
  };
  const next = (tokens: string[]) => tokens.pop() ?? fail('no link is left');
  return {
    forged: () => `/file/${shared}?l=${forge()}`,
    ofUnknownFile: () => `/file/${newFileId()}?l=${forge()}`,
    revoked: () => `/file/${shared}?l=${next(revoked)}`,
    expired: () => `/file/${spent}?l=${next(expired)}`,
  };
}

function addLinks(
  path: string,
  secret: string,
  { fileId, expiresAt }: { readonly fileId: string; readonly expiresAt: number },
  count: number,
): string[] {
  const secrets = createSecrets(secret);
  const db = new DatabaseSync(path, { timeout: 10_000 });
  const now = Date.now();
  const insert = db.prepare(`insert into file_links
    (id, file_id, user_id, epoch, created_at, expires_at, uses, used, sweep_at)
    select ?, id, user_id, 0, ?, ?, null, 0, ? from files where id = ?`);
  db.exec('begin immediate');
  const tokens = Array.from({ length: count }, () => {
    const linkId = randomText(12);
    // The service sweeps expired links, but these only after the measurement.
    insert.run(linkId, now - 60_000, expiresAt, now + 86_400_000, fileId);
    return writeLinkToken(secrets, { fileId: asFileId(fileId), linkId, epoch: 0, expiresAt });
  });
  db.exec('commit');
  db.close();
  return tokens;
}

function fail(why: string): never {
  throw new Error(why);
}
