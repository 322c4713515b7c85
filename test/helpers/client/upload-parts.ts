// The parts of uploads without a service: a signed-in user, waits that end at once and are counted, and bytes to send.
import { createHash } from 'node:crypto';
import { createAccess } from '../../../client/src/access.ts';
import { createDeviceKeeper } from '../../../client/src/device-keeper.ts';
import { createEvents } from '../../../client/src/events.ts';
import { createRunningUploads } from '../../../client/src/running-uploads.ts';
import { createSessionKeeper } from '../../../client/src/session-keeper.ts';
import { memoryStorage } from '../../../client/src/storage.ts';
import { createTabLock } from '../../../client/src/tab-lock.ts';
import type { UploadParts } from '../../../client/src/upload-file.ts';
import { createUploadMemory, type UploadMemory } from '../../../client/src/upload-memory.ts';
import { createWire } from '../../../client/src/wire.ts';

type Options = {
  readonly memory?: UploadMemory;
  readonly user?: string;
  readonly fetch?: typeof fetch;
  readonly wait?: UploadParts['wait'];
};

export async function uploadParts(url: string, options: Options = {}) {
  const { memory = createUploadMemory(), user = 'ann', fetch: send = fetch } = options;
  const waits: number[] = [];
  const key = `gatehouse:${url}`;
  const storage = memoryStorage();
  const events = createEvents(undefined);
  const wireOptions = { base: url, isCookie: false, language: undefined, fetch: send };
  const wire = createWire(wireOptions);
  const keeper = createSessionKeeper({ storage, key, isCookie: false, events });
  const devices = createDeviceKeeper({ storage, key: `${key}:device`, isCookie: false });
  const access = createAccess({ wire, keeper, devices, lock: createTabLock(undefined), isCookie: false });
  const signIn = (who: string) => keeper.keep({ JWT: tokenOf(who), RT: `rt-${who}` });
  await signIn(user);
  const onSignOut = (listener: () => void) => events.on('signed-out', listener);
  onSignOut(() => void memory.clear());
  const parts: UploadParts = {
    access,
    wire: wireOptions,
    mayUseXhr: false,
    memory,
    running: createRunningUploads(key),
    currentUser: async () => (await keeper.read())?.user,
    onSignOut,
    wait:
      options.wait ??
      (async (milliseconds) => {
        waits.push(milliseconds);
      }),
  };
  const signOut = async () => keeper.end(await keeper.read(), 'logged-out');
  return { parts, memory, waits, signIn, signOut };
}

let tokens = 0;

/** Unsigned: the client reads only its times and IDs. */
export function tokenOf(user: string, lifeSeconds = 900): string {
  tokens += 1;
  const claims = { jti: `t${tokens}`, sid: `s-${user}`, sub: user, iat: 0, exp: lifeSeconds };
  return `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
}

/** No part of it is like another. */
export function someBytes(size: number, name = 'film.mp4'): File {
  const bytes = new Uint32Array(Math.ceil(size / 4));
  for (let at = 0, state = 1; at < bytes.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state;
  }
  return new File([new Uint8Array(bytes.buffer, 0, size)], name, {
    type: 'video/mp4',
    lastModified: 1_700_000_000_000,
  });
}

export async function sha256Of(file: Blob): Promise<string> {
  return createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('hex');
}
