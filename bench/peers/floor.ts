// The floor as a peer: the same calls as those of Gatehouse, with the same callers, at the least cost that Node allows.

import { drive } from '../load/drive.ts';
import { filmOf, formCaller } from '../load/file-callers.ts';
import {
  getCaller,
  newPhone,
  type PhoneAndCode,
  refreshCaller,
  sendCaller,
  signInCallers,
  type Users,
} from '../load/sign-in-callers.ts';
import { expectAnswer, forEachConnection, type Peer } from './peer.ts';
import { startPeerProcess } from './process.ts';

/** More than it can do in a second. */
const signInsPerSecond = 8000;

/** Keeps its data in the folder. */
export async function startFloor(folder: string): Promise<Peer> {
  const server = await startPeerProcess('floor-server.ts', { folder });
  const { hostname: host, port } = new URL(server.url);
  const users: Users = { asked: [], known: [], pairs: [] };
  const accessToken = () => server.run<string>('signToken', []);
  /** At least so many codes that no one has used. */
  const collectCodes = async (count: number): Promise<PhoneAndCode[]> => {
    const list = await server.run<PhoneAndCode[]>('takeCodes', []);
    const phones = Array.from({ length: Math.max(0, count - list.length) }, newPhone).values();
    const callers = forEachConnection(16, () => sendCaller(() => phones.next().value));
    await drive({ host, port: Number(port), callers, seconds: 60 });
    return [...list, ...(await server.run<PhoneAndCode[]>('takeCodes', []))];
  };
  return {
    name: 'floor',
    url: server.url,
    pid: server.pid,
    stop: server.stop,
    workloads: {
      live: async (connections) => forEachConnection(connections, () => getCaller('/livez', undefined, '')),
      download4KiB: async (connections) => {
        const token = await accessToken();
        return forEachConnection(connections, () => getCaller('/file/4KiB', token, 'aaaa'));
      },
      sendCode: async (connections) => forEachConnection(connections, () => sendCaller(newPhone)),
      signInNew: async (connections, seconds = 4) =>
        signInCallers(connections, await collectCodes(Math.ceil(seconds * signInsPerSecond)), users),
      refresh: async (connections) => {
        const callers = signInCallers(8, (await collectCodes(connections)).slice(0, connections), users);
        await drive({ host, port: Number(port), callers, seconds: 60 });
        return users.pairs.splice(-connections).map(refreshCaller);
      },
      upload1MiB: async (connections) => {
        const token = await accessToken();
        const film = filmOf(1024 ** 2);
        return forEachConnection(connections, () =>
          formCaller(token, film, (status, body) => expectAnswer(status, body, 200, '"id"')),
        );
      },
    },
  };
}
