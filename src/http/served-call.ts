// One request as a handler of the route table gets it. Parts that a handler does not ask for are not made.
import type { IncomingMessage } from 'node:http';
import type { BackendCaller } from '../backend/service-key.ts';
import { Failure } from '../kernel/failure.ts';
import type { Language } from '../kernel/text/language.ts';
import type { Admin } from '../support/staff/admin.ts';
import { readCookie } from './interface/cookies.ts';
import type { Call, Caller } from './interface/route.ts';
import type { HttpReply } from './server/reply.ts';
import type { HttpRequest } from './server/request.ts';

/** Handlers take the functions apart from the call, so these are bound to the request. */
export class ServedCall implements Call {
  readonly captchaToken: string;
  private readonly request: HttpRequest;
  private readonly reply: HttpReply;

  constructor(request: HttpRequest, reply: HttpReply, captchaToken: string) {
    this.request = request;
    this.reply = reply;
    this.captchaToken = captchaToken;
  }

  get body(): unknown {
    return this.request.body;
  }

  get query(): unknown {
    return this.request.query;
  }

  get params(): unknown {
    return this.request.params;
  }

  get ip(): string {
    return this.request.clientAddress;
  }

  get language(): Language {
    return this.request.language;
  }

  get arrivedAt(): number {
    return this.request.startedAt;
  }

  get requestId(): string {
    return this.request.id;
  }

  get method(): string {
    return this.request.method;
  }

  get stream(): IncomingMessage {
    return this.request.raw;
  }

  get userAgent(): string | undefined {
    return this.request.headers['user-agent'];
  }

  get caller(): Caller {
    if (this.request.caller === undefined) throw new Failure('ACCESS_TOKEN_MISSING');
    return this.request.caller;
  }

  get admin(): Admin {
    if (this.request.admin === undefined) throw new Failure('ADMIN_REQUIRED');
    return this.request.admin;
  }

  get backend(): BackendCaller {
    if (this.request.backend === undefined) throw new Failure('SERVICE_KEY_INVALID');
    return this.request.backend;
  }

  get header(): Call['header'] {
    const { headers } = this.request;
    return (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
  }

  get cookie(): Call['cookie'] {
    const { headers } = this.request;
    return (name) => readCookie(headers.cookie, name);
  }

  get inform(): Call['inform'] {
    const { request, reply } = this;
    return (status, fields) => {
      // RFC 9110 section 15.2: a client of HTTP/1.0 would take it for the answer.
      if (request.raw.httpVersion === '1.1' && !reply.raw.headersSent) reply.raw.writeInformation(status, fields);
    };
  }

  get signal(): AbortSignal {
    const controller = new AbortController();
    const { raw } = this.reply;
    if (raw.destroyed) controller.abort();
    // Every answer closes in the end. After a whole one there is nothing to abort.
    else raw.once('close', () => raw.writableFinished || controller.abort());
    return controller.signal;
  }
}
