// A request that is being corrupted: kept in parts, so that each can be broken by itself, and then the bytes that are sent.
import type { Tokens } from './tokens.ts';

export type Draft = {
  method: string;
  target: string;
  version: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  /** What was changed, for the report of a failure. */
  readonly marks: string[];
  /** Its credentials are forged, so it must be refused. */
  isForged: boolean;
  /** It may end the connection, so it is sent alone. */
  isAlone: boolean;
  /** The sending half is closed after it, because it may announce more bytes than it has. */
  isHalfClosed: boolean;
  /** Its head as text, for framing that no client would produce. */
  head: string | undefined;
};

export type FuzzCase = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly method: string;
  readonly path: string;
  /** Sent as X-Request-Id and expected in the answer. */
  readonly id: string | undefined;
  readonly isForged: boolean;
  readonly isAlone: boolean;
  readonly isHalfClosed: boolean;
};

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly security: readonly string[];
  readonly hasCaptcha: boolean;
  readonly takesFile: boolean;
  /** The fields of the JSON body, if there is one. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly query: readonly string[];
};

/** The users, sessions and files that requests aim at. */
export type World = {
  readonly operations: readonly Operation[];
  readonly jwks: string;
  /** A user whose session must outlive the round. */
  readonly resident: Tokens & { readonly sessionIds: readonly string[] };
  /** A user who may be signed out or deleted at any moment. */
  readonly guest: Tokens & { readonly sessionIds: readonly string[] };
  /** Users whom staff may change and block; and those whom staff may delete. */
  readonly charges: readonly Charge[];
  readonly leavers: readonly Charge[];
  /** The cookie of staff. */
  readonly adminToken: string;
  readonly files: readonly string[];
  /** Files that may be deleted. */
  readonly doomed: readonly string[];
  readonly samples: readonly Sample[];
  /** A number that signs in with this code once it has requested it. */
  readonly lucky: { readonly phone: string; readonly otp: string };
};

/** A user as staff sees one. */
export type Charge = {
  readonly userId: string;
  readonly sessionIds: readonly string[];
  readonly files: readonly string[];
  readonly messageIds: readonly string[];
};

export type Sample = { readonly name: string; readonly type: string; readonly bytes: Buffer };

export function setHeader(draft: Draft, name: string, value: string): void {
  dropHeader(draft, name);
  draft.headers.push([name, value]);
}

export function dropHeader(draft: Draft, name: string): void {
  draft.headers = draft.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase());
}

export function headerOf(draft: Draft, name: string): string | undefined {
  return draft.headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}

/** A longer head may exceed the parser's limit, which ends the connection. */
const longestHead = 15_000;

export function toCase(draft: Draft, id: string): FuzzCase {
  const own = draft.headers.filter(([name]) => name.toLowerCase() === 'x-request-id').length === 0;
  const headers = own ? [...draft.headers, ['X-Request-Id', id] as const] : draft.headers;
  const length = draft.body === undefined ? [] : [['Content-Length', String(draft.body.length)] as const];
  const lines = [...headers, ...(headerOf(draft, 'transfer-encoding') === undefined ? length : [])];
  const head =
    draft.head ??
    `${draft.method} ${draft.target} ${draft.version}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return {
    name: `${draft.method} ${draft.target.slice(0, 60)}: ${draft.marks.join(', ') || 'unchanged'}`,
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), draft.body ?? Buffer.alloc(0)]),
    method: draft.method,
    path: draft.target.split('?', 1)[0] ?? '',
    id: own && draft.head === undefined ? id : undefined,
    isForged: draft.isForged && draft.marks.length === 1,
    isAlone: draft.isAlone || draft.isHalfClosed || head.length > longestHead,
    isHalfClosed: draft.isHalfClosed,
  };
}
