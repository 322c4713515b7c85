// Calls of the back end about files, as an app's server makes them.
import { type Reply, readEnvelope } from '../requests/api.ts';
import type { UploadRequest } from '../requests/upload-in-form.ts';
import { type Form, formData } from '../requests/upload-in-form.ts';
import { me } from './users.ts';

export async function userIdOf(url: string, token: string): Promise<string> {
  return (await me(url, token)).body.data.id;
}

/** An upload on behalf of a user, in one of the request forms. `token` is the service key. */
export async function uploadFor(
  url: string,
  form: Form,
  userId: string,
  { bytes, purpose, name = 'a file', type, headers = {}, token }: UploadRequest,
): Promise<Reply> {
  const auth = { authorization: `Bearer ${token}`, ...headers };
  const query = new URLSearchParams({ user: userId });
  if (form === 'raw') query.set('name', name);
  if (form === 'raw' && purpose !== undefined) query.set('purpose', purpose);
  const json = { purpose, name, type, content: bytes.toString('base64') };
  const response = await fetch(`${url}/api/service/files?${query}`, {
    method: 'POST',
    headers: {
      ...auth,
      ...(form === 'raw' && { 'content-type': type ?? 'application/octet-stream' }),
      ...(form === 'json' && { 'content-type': 'application/json' }),
    },
    body:
      form === 'json'
        ? JSON.stringify(json)
        : form === 'raw'
          ? new Uint8Array(bytes)
          : formData(form, bytes, purpose, name, type),
  });
  return { status: response.status, headers: response.headers, body: readEnvelope(await response.text()), cookies: [] };
}
