// Uploads a file over HTTP, in each of the request forms: as a user, or as the back end on behalf of one.
import assert from 'node:assert/strict';
import { type Reply, readReply } from './api.ts';

export type Form = 'multipart' | 'purpose last' | 'raw' | 'json';
export type UploadRequest = {
  /** An access token, or a service key if there is a `userId`. */
  readonly token: string;
  readonly bytes: Uint8Array;
  /** Raw unless given. */
  readonly form?: Form;
  readonly purpose?: string;
  readonly name?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The idempotency key. */
  readonly key?: string;
  /** The user for whom the back end uploads. */
  readonly userId?: string;
};

export const forms: readonly Form[] = ['multipart', 'purpose last', 'raw', 'json'];

export async function upload(url: string, request: UploadRequest): Promise<Reply> {
  const { token, bytes, form = 'raw', purpose, name = 'a file', type, headers = {}, key, userId } = request;
  const path = uploadPath(userId, form === 'raw' ? { name, purpose } : {});
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(form === 'raw' && { 'content-type': type ?? 'application/octet-stream' }),
      ...(form === 'json' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    body:
      form === 'raw'
        ? new Uint8Array(bytes)
        : form === 'json'
          ? JSON.stringify({ purpose, name, type, content: Buffer.from(bytes).toString('base64') })
          : formData(form, bytes, purpose, name, type),
  });
  return readReply(response);
}

/** Of the back end if there is a user. A raw upload says its name and purpose there. */
export function uploadPath(
  userId: string | undefined,
  said: { readonly name?: string; readonly purpose?: string | undefined },
) {
  const query = new URLSearchParams(userId === undefined ? {} : { user: userId });
  if (said.name !== undefined) query.set('name', said.name);
  if (said.purpose !== undefined) query.set('purpose', said.purpose);
  const path = userId === undefined ? '/api/file/upload' : '/api/service/files';
  return query.size === 0 ? path : `${path}?${query}`;
}

/** An upload that must succeed. Returns what the service says of the file. */
export async function storeFile(url: string, request: UploadRequest): Promise<Reply['body']['data']> {
  const { status, body } = await upload(url, request);
  assert.equal(status, 201, `${request.name ?? 'a file'}: ${body.codeError} ${body.message}`);
  return body.data;
}

export function formData(
  form: Form,
  bytes: Uint8Array,
  purpose: string | undefined,
  name: string,
  type: string | undefined,
): FormData {
  const data = new FormData();
  if (form === 'multipart' && purpose !== undefined) data.set('purpose', purpose);
  data.set('file', new Blob([new Uint8Array(bytes)], { type: type ?? '' }), name);
  if (form === 'purpose last' && purpose !== undefined) data.set('purpose', purpose);
  return data;
}

/** The body of an upload for the purpose image, in one piece, with its content type. A raw body needs the purpose in the query. */
export async function bodyIn(form: Form, bytes: Buffer): Promise<{ readonly body: Buffer; readonly type: string }> {
  if (form === 'raw') return { body: bytes, type: 'application/octet-stream' };
  if (form === 'json') {
    const text = JSON.stringify({ purpose: 'image', content: bytes.toString('base64') });
    return { body: Buffer.from(text), type: 'application/json' };
  }
  const sent = new Response(formData(form, bytes, 'image', 'a file', undefined));
  return { body: Buffer.from(await sent.arrayBuffer()), type: sent.headers.get('content-type') ?? '' };
}
