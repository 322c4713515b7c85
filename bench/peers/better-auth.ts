// Better Auth: codes by phone, sign-in, session check and its token call, on SQLite or PostgreSQL.
import { type Caller, request } from '../load/drive.ts';
import { expectAnswer, forEachConnection, type Peer, type Store } from './peer.ts';
import { type PeerProcess, startPeerProcess } from './process.ts';

/** The number of prepared sign-ins. A run ends early when they are used up. */
const preparedSignIns = 4000;

let lastPhone = 0;

export async function startBetterAuth(store: Store): Promise<Peer> {
  const server = await startPeerProcess('better-auth-server.ts', store);
  return {
    name: `Better Auth on ${store.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    url: server.url,
    pid: server.pid,
    stop: server.stop,
    workloads: {
      sendCode: async (connections) =>
        forEachConnection(connections, () => ({
          ask: () => post(server, '/api/auth/phone-number/send-otp', { phoneNumber: nextPhone() }),
          check: (status, body) => expectAnswer(status, body, 200, '"code sent"'),
        })),
      signInNew: async (connections) => signInCallers(connections, server, manyPhones()),
      signInKnown: async (connections) => {
        const phones = manyPhones();
        await server.run('createUsers', phones);
        return signInCallers(connections, server, phones);
      },
      sessionCheck: (connections) => signedInCallers(connections, server, '/api/auth/get-session'),
      token: (connections) => signedInCallers(connections, server, '/api/auth/token'),
    },
  };
}

/** Unique in a run, because several peers may use one database. */
function nextPhone(): string {
  return `+1202${String(++lastPhone).padStart(7, '0')}`;
}

function manyPhones(): string[] {
  return Array.from({ length: preparedSignIns }, nextPhone);
}

function post({ host }: PeerProcess, path: string, body: object): string {
  return request(`POST ${path}`, host, { 'content-type': 'application/json' }, JSON.stringify(body));
}

/** All connections share one list, so that they end together. */
async function signInCallers(connections: number, server: PeerProcess, phones: string[]): Promise<Caller[]> {
  const codes = await server.run<string[]>('sendCodes', phones);
  let used = 0;
  return forEachConnection(connections, () => {
    let phone: string | undefined;
    return {
      ask: () => {
        const code = codes[used];
        phone = phones[used++];
        return code && phone && post(server, '/api/auth/phone-number/verify', { phoneNumber: phone, code });
      },
      check: (status, body) => {
        expectAnswer(status, body, 200, `"phoneNumber":"${phone}"`);
        expectAnswer(status, body, 200, '"token":"');
      },
    };
  });
}

/** One signed-in user per connection. */
async function signedInCallers(
  connections: number,
  server: PeerProcess,
  path: '/api/auth/get-session' | '/api/auth/token',
): Promise<Caller[]> {
  const phones = Array.from({ length: connections }, nextPhone);
  const codes = await server.run<string[]>('sendCodes', phones);
  const tokens = await Promise.all(phones.map((phone, index) => signIn(server, phone, codes[index] ?? '')));
  return forEachConnection(connections, (index) => {
    const asked = request(`GET ${path}`, server.host, { authorization: `Bearer ${tokens[index]}` });
    const piece = path.endsWith('token') ? '{"token":"ey' : `"phoneNumber":"${phones[index]}"`;
    return { ask: () => asked, check: (status, body) => expectAnswer(status, body, 200, piece) };
  });
}

async function signIn(server: PeerProcess, phoneNumber: string, code: string): Promise<string> {
  const response = await fetch(`${server.url}/api/auth/phone-number/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phoneNumber, code }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`the sign-in was answered with ${response.status}`);
  return token;
}
