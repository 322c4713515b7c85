// A clamd for tests: it finds the EICAR test file, and can be told to answer, stall or hang up as no real one would.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ClamdPlace } from '../../../src/adapters/scan/clamd-place.ts';
import { testFile } from '../../../src/adapters/scan/test-file.ts';

/** What a client has sent so far on its connection. `file` is set when the stream has ended. */
type ClamdRequest = {
  readonly command: string;
  readonly received: number;
  /** The length of the first chunk, which comes before its bytes. */
  readonly announced: number;
  readonly file: Buffer | undefined;
};

/** Returns true if it has taken care of the connection. Otherwise the fake answers like clamd. */
export type ClamdAct = (socket: Socket, request: ClamdRequest) => boolean;

export type FakeClamd = {
  readonly port: number;
  readonly url: string;
  readonly place: ClamdPlace;
  /** The whole files that were streamed. */
  readonly files: Buffer[];
  /** How many connections are open. */
  readonly open: number;
  act(act: ClamdAct | undefined): void;
  /** Reads on where it had stopped reading. A connection whose bytes are not read does not show that it is closed. */
  resume(): void;
  stop(): Promise<void>;
};

const version = 'ClamAV 1.4.6/27800/Sun May  4 10:26:36 2031';

/** Listens on a free port of this machine, or where it is told to. */
export async function startFakeClamd(at: { port?: number; host?: string; path?: string } = {}): Promise<FakeClamd> {
  const sockets = new Set<Socket>();
  const files: Buffer[] = [];
  let act: ClamdAct | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    let bytes = Buffer.alloc(0);
    let isDone = act?.(socket, { command: '', received: 0, announced: 0, file: undefined }) ?? false;
    socket.on('data', (chunk: Buffer) => {
      if (isDone) return;
      bytes = Buffer.concat([bytes, chunk]);
      const request = readRequest(bytes);
      isDone = act?.(socket, request) ?? false;
      if (isDone) return;
      const answer = answerTo(request);
      if (answer === undefined) return;
      if (request.file !== undefined) files.push(request.file);
      isDone = true;
      socket.end(`${answer}\0`);
    });
  });
  server.listen(at.path === undefined ? { port: at.port ?? 0, host: at.host ?? '127.0.0.1' } : { path: at.path });
  await once(server, 'listening');
  const port = at.path === undefined ? (server.address() as AddressInfo).port : 0;
  return {
    port,
    url: at.path === undefined ? `clamd://127.0.0.1:${port}` : `clamd://${at.path}`,
    place: at.path === undefined ? { host: at.host ?? '127.0.0.1', port } : { path: at.path },
    files,
    get open() {
      return sockets.size;
    },
    act: (next) => {
      act = next;
    },
    resume: () => {
      for (const socket of sockets) socket.resume();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo({ command, file }: ClamdRequest): string | undefined {
  if (command === 'PING') return 'PONG';
  if (command === 'VERSION') return version;
  if (file === undefined) return undefined;
  return file.includes(testFile()) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
}

function readRequest(bytes: Buffer): ClamdRequest {
  const end = bytes.indexOf(0);
  const command = end < 0 ? '' : bytes.subarray(1, end).toString();
  const chunks: Buffer[] = [];
  let at = end + 1;
  const announced = command === 'INSTREAM' && at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
  while (command === 'INSTREAM' && at + 4 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    at += 4;
    if (length === 0) return { command, received: bytes.length, announced, file: Buffer.concat(chunks) };
    if (at + length > bytes.length) break;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return { command, received: bytes.length, announced, file: undefined };
}

/** A spool of these bytes, as a scanner gets it. */
export function spoolOf(bytes: Buffer) {
  const read = async (at: number, length: number) => bytes.subarray(at, at + length);
  return { size: bytes.length, reader: { size: bytes.length, read } };
}
