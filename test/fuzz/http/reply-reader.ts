// Reads pipelined answers from a connection as their bytes arrive, each with a length, in chunks, or without a body.
import assert from 'node:assert/strict';
import type { RawReply } from '../../helpers/requests/raw-request.ts';

type ReplyReader = {
  /** The answers that the bytes complete. The method of each request is read when its answer starts. */
  take(bytes: Buffer): RawReply[];
  /** Bytes of an answer that is not complete. */
  readonly rest: () => number;
};

export function createReplyReader(nextMethod: () => string): ReplyReader {
  let rest: Buffer = Buffer.alloc(0);
  let interim: number[] = [];
  let informed: Record<string, string>[] = [];
  let begun: { method: string } | undefined;
  const takeOne = (): RawReply | 'interim' | undefined => {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const { status, headers } = readHead(rest.toString('latin1', 0, end));
    const start = end + 4;
    if (status < 200) {
      interim.push(status);
      informed.push(headers);
      rest = rest.subarray(start);
      return 'interim';
    }
    begun ??= { method: nextMethod() };
    const isBare = begun.method === 'HEAD' || status === 204 || status === 304;
    const found = isBare ? { body: '', size: 0 } : readBody(rest.subarray(start), headers);
    if (found === undefined) return undefined;
    rest = rest.subarray(start + found.size);
    const reply = { status, headers, body: found.body, interim, informed };
    interim = [];
    informed = [];
    begun = undefined;
    return reply;
  };
  return {
    take: (bytes) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const replies: RawReply[] = [];
      for (let reply = takeOne(); reply !== undefined; reply = takeOne()) if (reply !== 'interim') replies.push(reply);
      return replies;
    },
    rest: () => rest.length,
  };
}

function readHead(text: string): { status: number; headers: Record<string, string> } {
  const [line = '', ...lines] = text.split('\r\n');
  const status = Number(
    /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(line)?.[1] ?? assert.fail(`no status line: ${line.slice(0, 80)}`),
  );
  const headers: Record<string, string> = {};
  for (const header of lines) {
    const colon = header.indexOf(': ');
    const name = header.slice(0, colon).toLowerCase();
    assert.ok(colon > 0 && /^[\w-]+$/.test(name) && !/[\r\n\0]/.test(header), `no header: ${header.slice(0, 80)}`);
    const value = header.slice(colon + 2);
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value;
  }
  return { status, headers };
}

function readBody(bytes: Buffer, headers: Record<string, string>): { body: string; size: number } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes);
  const length = Number(headers['content-length']);
  assert.ok(Number.isSafeInteger(length), 'an answer without a length');
  return bytes.length < length ? undefined : { body: bytes.toString('utf8', 0, length), size: length };
}

function readChunks(bytes: Buffer): { body: string; size: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    const next = end + 2 + length + 2;
    if (bytes.length < next) return undefined;
    if (length === 0) return { body: Buffer.concat(parts).toString(), size: next };
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = next;
  }
}
