// The answer to a request: its headers are collected in one list, and head and body leave in one write.
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Pump } from '../../files/storage/blob-store.ts';
import { answerEarly, isWhole, markClosing } from './connections/drain.ts';
import { pipeTo } from './reply-stream.ts';
import type { SecurityHeaders } from './security-headers.ts';
import type { ServerTimes } from './server-times.ts';

/** Everything that answers have in common. */
export type ReplyParts = {
  /** Names and values in turn. */
  readonly base: readonly string[];
  /** Where the value of each of these headers is in the list. */
  readonly places: ReadonlyMap<string, number>;
  /** Whether the connection ends with the answer. */
  readonly isLast: () => boolean;
  readonly times: ServerTimes;
};

type AskedRequest = { readonly id: string; readonly method: string; readonly raw: IncomingMessage };

/** Copying more than this costs more than a second piece. */
const joinedBytes = 8 * 1024;

/** For whoever watches the answers of the service, for example a test of its contract. */
const answers = channel('gatehouse.answer');

export class HttpReply {
  readonly raw: ServerResponse;
  statusCode = 200;
  private readonly request: AskedRequest;
  private readonly parts: ReplyParts;
  private readonly onFinished: (reply: HttpReply) => void;
  private list: string[];
  private isBegun = false;

  /** `onFinished` is called once the system has taken the whole answer. */
  constructor(raw: ServerResponse, request: AskedRequest, parts: ReplyParts, onFinished: (reply: HttpReply) => void) {
    this.raw = raw;
    this.request = request;
    this.parts = parts;
    this.onFinished = onFinished;
    this.list = listOf(parts, request.id);
  }

  /** True if the answer has begun: nothing can change it any more. */
  get isSent(): boolean {
    return this.isBegun || this.raw.headersSent;
  }

  /** True if the client has left before its answer. */
  get isGone(): boolean {
    return this.request.raw.socket.destroyed && !this.isSent;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  /** Replaces an earlier value. Only Set-Cookie may have several. The name is in lower case. */
  header(name: string, value: string): this {
    const place = name === 'set-cookie' ? -1 : this.placeOf(name);
    if (place === -1) this.list.push(name, value);
    else this.list[place] = value;
    return this;
  }

  headers(headers: Readonly<Record<string, string>>): this {
    for (const name in headers) this.header(name, headers[name] ?? '');
    return this;
  }

  type(type: string): this {
    return this.header('content-type', type);
  }

  getHeader(name: string): string | undefined {
    const place = this.placeOf(name);
    return place === -1 ? undefined : this.list[place];
  }

  removeHeader(name: string): void {
    const place = this.placeOf(name);
    if (place !== -1) this.list.splice(place - 1, 2);
  }

  /** Forgets every header of the answer that was planned. */
  reset(): void {
    this.list = listOf(this.parts, this.request.id);
  }

  send(body?: string | Buffer): this {
    if (this.isSent) return this;
    if (body !== undefined) this.header('content-length', String(Buffer.byteLength(body)));
    else if (this.statusCode !== 204 && this.statusCode !== 304) this.header('content-length', '0');
    this.leave(body);
    return this;
  }

  /** The connection ends with this answer. No request that follows it is processed. */
  closeAfter(): void {
    this.header('connection', 'close');
    markClosing(this.raw);
  }

  /** Sends the head alone, with the length that the body would have. */
  sendHead(): this {
    this.leave(undefined);
    return this;
  }

  /** Fails if the source fails before its first byte: then nothing is sent, and the answer can still be that of an error. */
  stream(source: Readable): Promise<void> {
    return pipeTo(source, this.raw, () => {
      this.begin(undefined);
      this.raw.on('finish', () => this.tellFinished());
    });
  }

  /** If the source fails, the connection breaks: a truncated file must not look complete. */
  async pump(pump: Pump): Promise<void> {
    this.begin(undefined);
    this.raw.on('finish', () => this.tellFinished());
    try {
      await pump(this.raw);
      this.raw.end();
    } catch {
      this.raw.destroy();
    }
  }

  private leave(body: string | Buffer | undefined): void {
    if (isWhole(this.request.raw)) {
      this.end(body);
      return;
    }
    this.isBegun = true;
    const { raw: response, request, parts } = this;
    const answer = { response, end: () => this.end(body), writeLast: () => this.writeLast(body) };
    answerEarly(request.raw, answer, parts.times);
  }

  private end(body: string | Buffer | undefined): void {
    this.begin(body);
    if (body === undefined || this.request.method === 'HEAD') this.raw.end();
    // Node joins a head to a text, not to bytes: as a text of the same bytes they leave in one piece.
    else if (typeof body !== 'string' && body.length <= joinedBytes) this.raw.end(body.toString('latin1'), 'latin1');
    else this.raw.end(body);
    this.finish();
  }

  private writeLast(body: string | Buffer | undefined): void {
    this.closeAfter();
    this.begin(body);
    if (body === undefined || this.request.method === 'HEAD') this.raw.flushHeaders();
    else this.raw.write(body);
    this.tellFinished();
  }

  /** Nearly every answer leaves at once: then nobody needs to listen for its end. */
  private finish(): void {
    const { raw } = this;
    if (raw.writableLength === 0 && raw.socket?.writable === true && isWhole(this.request.raw)) this.tellFinished();
    else raw.on('finish', () => this.tellFinished());
  }

  private tellFinished(): void {
    this.onFinished(this);
  }

  private begin(body: string | Buffer | undefined): void {
    if (this.parts.isLast() || !isWhole(this.request.raw)) this.closeAfter();
    this.raw.writeHead(this.statusCode, this.list);
    this.isBegun = true;
    if (answers.hasSubscribers) answers.publish({ request: this.request, status: this.statusCode, body });
  }

  /** The place of the value, or -1. */
  private placeOf(name: string): number {
    const known = this.parts.places.get(name);
    if (known !== undefined) return known;
    const { list } = this;
    for (let place = this.parts.base.length; place < list.length; place += 2)
      if (list[place] === name) return place + 1;
    return -1;
  }
}

export function planHeaders(headers: SecurityHeaders): Pick<ReplyParts, 'base' | 'places'> {
  const names = Object.keys(headers);
  return { base: Object.entries(headers).flat(), places: new Map(names.map((name, index) => [name, index * 2 + 1])) };
}

function listOf({ base }: ReplyParts, id: string): string[] {
  const list = base.slice();
  list.push('x-request-id', id);
  return list;
}
