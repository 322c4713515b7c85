// Uploads a file over HTTP in each of the request forms.
import { call, type Reply, readEnvelope } from './api.ts';

export type Form = 'multipart' | 'purpose last' | 'raw' | 'json';
export type UploadRequest = {
  bytes: Buffer;
  purpose?: string;
  name?: string;
  type?: string;
  headers?: Record<string, string>;
  token: string;
};

export const forms: readonly Form[] = ['multipart', 'purpose last', 'raw', 'json'];

export async function upload(
  url: string,
  form: Form,
  { bytes, purpose, name = 'a file', type, headers = {}, token }: UploadRequest,
): Promise<Reply> {
  const auth = { authorization: `Bearer ${token}`, ...headers };
  if (form === 'json') {
    const body = { purpose, name, type, content: bytes.toString('base64') };
    return call(url, 'POST', '/api/file/upload', { body, headers: auth });
  }
  const query =
    form === 'raw' ? `?name=${encodeURIComponent(name)}${purpose === undefined ? '' : `&purpose=${purpose}`}` : '';
  const response = await fetch(`${url}/api/file/upload${query}`, {
    method: 'POST',
    headers: form === 'raw' ? { ...auth, 'content-type': type ?? 'application/octet-stream' } : auth,
    body: form === 'raw' ? new Uint8Array(bytes) : formData(form, bytes, purpose, name, type),
  });
  return { status: response.status, headers: response.headers, body: readEnvelope(await response.text()), cookies: [] };
}

export function formData(
  form: Form,
  bytes: Buffer,
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
