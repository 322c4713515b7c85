// tus: creates and fills a file in one request. The only peer from npm that takes files on every machine.
import { type Caller, request } from '../load/drive.ts';
import { callInTwo, type TwoRequests } from '../load/part-caller.ts';
import { type Payload, payload1MiB, payload100MiB } from './payloads.ts';
import { forEachConnection, type Peer } from './peer.ts';
import { startPeerProcess } from './process.ts';

export async function startTus(folder: string): Promise<Peer> {
  const server = await startPeerProcess('tus-server.ts', { folder });
  const upload = (payload: Payload) => async (connections: number) => {
    const asked = uploadRequest(server.host, payload);
    return forEachConnection(connections, () => ({ ask: () => asked, check: expectAll(payload) }));
  };
  const inTwo = async (connections: number) =>
    forEachConnection(connections, () => callInTwo(payload100MiB.bytes, twoRequests(server.host)));
  return {
    name: 'tus',
    url: server.url,
    pid: server.pid,
    stop: server.stop,
    workloads: { upload1MiB: upload(payload1MiB), upload100MiB: upload(payload100MiB), uploadHalf50MiB: inTwo },
  };
}

function uploadRequest(host: string, { bytes }: Payload): Buffer {
  const head = request('POST /files', host, {
    'tus-resumable': '1.0.0',
    'upload-length': String(bytes.length),
    'content-type': 'application/offset+octet-stream',
    'content-length': String(bytes.length),
  });
  return Buffer.concat([Buffer.from(head), bytes]);
}

function twoRequests(host: string): TwoRequests {
  const common = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
  return {
    create: (half, whole) =>
      request('POST /files', host, { ...common, 'upload-length': String(whole), 'content-length': String(half) }),
    append: (path, offset, rest) =>
      request(`PATCH ${path}`, host, { ...common, 'upload-offset': String(offset), 'content-length': String(rest) }),
    place: /^location: (?:http:\/\/[^/\s]+)?(\/files\/\S+)/im,
    checkLast: (status, _body, head) => {
      if (status !== 204 || !head.toLowerCase().includes(`upload-offset: ${payload100MiB.bytes.length}`))
        throw new Error(`wanted all of it, got ${status}: ${head}`);
    },
  };
}

function expectAll({ bytes }: Payload): Caller['check'] {
  const all = `upload-offset: ${bytes.length}`;
  return (status, _body, head) => {
    if (status !== 201 || !head.toLowerCase().includes(all))
      throw new Error(`wanted all of it, got ${status}: ${head}`);
  };
}
