// The requests of an upload in several requests (draft-ietf-httpbis-resumable-upload): create, ask, append, cancel.
import type { Access } from './access.ts';
import { toGatehouseError } from './gatehouse-error.ts';
import { readAnswer } from './read-answer.ts';
import type { Send } from './send-bytes.ts';
import { finishSeconds, patienceFor, sendWatched } from './send-watched.ts';
import { appendLimitOf } from './slice-size.ts';
import type { FileRecord } from './upload-options.ts';
import { type Stop, signedOut } from './upload-stop.ts';
import { lineOf, type WireOptions } from './wire.ts';

export type UploadPlace = { readonly id: string; readonly offset: number; readonly file: FileRecord | null };

/** The answer to an append: the file, if it was the last one. */
export type Appended = { readonly file: FileRecord } | { readonly offset: number };

type Slice = { readonly id: string; readonly offset: number; readonly bytes: Blob; readonly isLast: boolean };

export type UploadRequests = {
  /** The number of bytes that one request should have at most, as far as the service has named it. */
  readonly appendLimit: number;
  /** Where the last failure said that the upload goes on. */
  readonly serverOffset: number | undefined;
  /** Does not stop: otherwise nobody would know whether there is something to cancel. */
  create(length: number): Promise<UploadPlace>;
  ask(id: string): Promise<UploadPlace>;
  append(slice: Slice, onProgress: (sentBytes: number) => void): Promise<Appended>;
  /** Does not wait, and does not fail. */
  cancel(id: string): void;
};

type Parts = {
  readonly access: Access;
  readonly wire: WireOptions;
  readonly send: Send;
  readonly stop: Stop;
  /** Whether the user who began the upload is signed in. */
  readonly isSameUser: () => Promise<boolean>;
  /** Of the creation. */
  readonly purpose: string;
  readonly headers: Readonly<Record<string, string>>;
};

type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob;
  readonly onProgress?: (sentBytes: number) => void;
  readonly idleSeconds?: number;
  readonly isUnstoppable?: boolean;
};

const idleSeconds = 60;

export function createUploadRequests(parts: Parts): UploadRequests {
  const { access, wire, send, stop, isSameUser, purpose, headers: ownHeaders } = parts;
  const language = wire.language === undefined ? {} : { 'accept-language': wire.language };
  let appendLimit = appendLimitOf(null);
  let serverOffset: number | undefined;

  const exchange = async (request: Request): Promise<unknown> => {
    const { method, path, headers, body, onProgress, idleSeconds: most, isUnstoppable } = request;
    serverOffset = undefined;
    const run: Stop['run'] = isUnstoppable ? (work) => work(new AbortController().signal) : stop.run;
    return run((stopped) =>
      access.run(async (authorization) => {
        if (!(await isSameUser())) throw signedOut();
        const transfer = {
          method,
          url: `${wire.base}${path}`,
          headers: { ...language, ...authorization, ...headers },
          body,
          signal: stopped,
          onProgress: onProgress ?? (() => undefined),
        };
        const answer = await sendWatched(send, wire, transfer, most ?? idleSeconds);
        serverOffset = integerIn(answer.header('upload-offset'));
        const limit = answer.header('upload-limit');
        if (limit !== null) appendLimit = appendLimitOf(limit);
        return readAnswer(answer);
      }),
    );
  };

  return {
    get appendLimit() {
      return appendLimit;
    },
    get serverOffset() {
      return serverOffset;
    },
    // Without bytes: if the answer is lost, nothing is lost, and the same key gives the same upload.
    create: async (length) => {
      const [method, path] = lineOf('uploadFile', undefined, { purpose });
      const headers = { ...ownHeaders, 'upload-complete': '?0', 'upload-length': String(length) };
      return placeIn(await exchange({ method, path, headers, isUnstoppable: true }));
    },
    // GET, because an answer without a body could not tell why it refuses.
    ask: async (id) => placeIn(await exchange({ method: 'GET', path: placeOf(id) })),
    append: async ({ id, offset, bytes, isLast }, onProgress) => {
      const most = isLast ? finishSeconds(send, bytes) : patienceFor(send, bytes, idleSeconds);
      const data = await exchange({
        method: 'PATCH',
        path: placeOf(id),
        headers: {
          'content-type': 'application/partial-upload',
          'upload-offset': String(offset),
          'upload-complete': isLast ? '?1' : '?0',
        },
        body: bytes,
        onProgress,
        idleSeconds: most,
      });
      return isPlace(data) ? { offset: data.offset } : { file: data as FileRecord };
    },
    cancel: (id) => cancelUpload({ access, wire }, id),
  };
}

/** At the service. Does not wait, and does not fail: an upload that nobody goes on with expires. */
export function cancelUpload({ access, wire }: Pick<Parts, 'access' | 'wire'>, id: string): void {
  const credentials = wire.isCookie ? 'include' : 'omit';
  access
    .run((headers) =>
      wire.fetch(`${wire.base}${placeOf(id)}`, { method: 'DELETE', headers, credentials, keepalive: true }),
    )
    .catch(() => undefined);
}

function placeOf(id: string): string {
  return `${lineOf('uploadFile')[1]}/${encodeURIComponent(id)}`;
}

function placeIn(data: unknown): UploadPlace {
  if (isPlace(data)) return data;
  throw toGatehouseError(new TypeError('The service answered with something else than an upload.'));
}

/** The types are generated from the response schemas of the service. A file record has no offset. */
function isPlace(data: unknown): data is UploadPlace {
  return typeof data === 'object' && data !== null && 'offset' in data && 'id' in data;
}

function integerIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
