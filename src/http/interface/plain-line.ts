// An endpoint beside the route table, as the documents describe it: it follows a standard protocol and has no envelope.
import type { RouteTag } from './route-line.ts';
import type { Schema } from './schema.ts';

export type PlainLine = {
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly path: string;
  /** The operation id in the OpenAPI document. */
  readonly name: string;
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description?: string;
  /** The ways to authenticate, each by the names of security schemes. An empty list is a call without a credential. */
  readonly security?: readonly (readonly string[])[];
  readonly query?: Schema;
  /** The fields of a form, application/x-www-form-urlencoded. */
  readonly form?: Schema;
  readonly answers: Readonly<Record<number, PlainAnswer>>;
};

export type PlainAnswer = {
  readonly meaning: string;
  readonly type?: 'application/json' | 'text/plain' | 'text/html';
  readonly schema?: Schema;
  readonly example?: unknown;
  /** The codes of errors with a description of each, in the form of RFC 6749. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Headers with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
};
