// Uploads a file as a raw body, with progress if XMLHttpRequest exists. The idempotency key makes it safe to repeat.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import type { GatehouseError } from './gatehouse-error.ts';
import { newKey } from './new-key.ts';
import { readAnswer } from './read-answer.ts';
import { isTransient, retry } from './retry.ts';
import { sendByFetch, sendByXhr } from './send-bytes.ts';
import { lineOf, type WireOptions } from './wire.ts';

export type FileRecord = Calls['uploadFile']['data'];

export type Progress = { readonly sentBytes: number; readonly totalBytes: number };

export type UploadOptions = {
  readonly purpose: string;
  /** Replaces the name of the file. */
  readonly name?: string | undefined;
  /** Without XMLHttpRequest (Node, React Native) it is called at the start and at the end only. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: a new key for each upload. Pass your own key to repeat an upload after a restart of the app. */
  readonly idempotencyKey?: string | undefined;
};

type Parts = { readonly access: Access; readonly wire: WireOptions; readonly mayUseXhr: boolean };

export async function uploadFile(
  { access, wire, mayUseXhr }: Parts,
  file: Blob,
  { purpose, name = nameOf(file), onProgress, signal, idempotencyKey = newKey() }: UploadOptions,
): Promise<FileRecord> {
  const [method, path] = lineOf('uploadFile', undefined, { purpose });
  const send = mayUseXhr && typeof XMLHttpRequest === 'function' ? sendByXhr : sendByFetch;
  const ownHeaders = {
    'content-type': typeOf(file),
    'idempotency-key': idempotencyKey,
    ...(name !== undefined && { 'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}` }),
    ...(wire.language !== undefined && { 'accept-language': wire.language }),
  };
  const report = (sentBytes: number) => onProgress?.({ sentBytes, totalBytes: file.size });
  const url = `${wire.base}${path}`;
  // An attempt may take longer than the lifetime of a token, so each attempt gets a current one.
  const attempt = () =>
    access.run(async (headers) =>
      readAnswer(
        await send(wire, { method, url, headers: { ...headers, ...ownHeaders }, file, signal, onProgress: report }),
      ),
    );
  return (await retry(attempt, shouldRetry)) as FileRecord;
}

/** After a broken connection the service may still be processing the previous attempt. */
function shouldRetry(error: GatehouseError, round: number): boolean {
  return (isTransient(error) && error.status !== 429) || (round > 1 && error.code === 'UPLOAD_IN_PROGRESS');
}

function nameOf(file: Blob): string | undefined {
  return 'name' in file && typeof file.name === 'string' ? file.name : undefined;
}

/** The service reads these two types as another form of upload, so a file of such a type is sent without its type. */
function typeOf({ type }: Blob): string {
  return type === '' || /^(multipart\/form-data|application\/json)/i.test(type) ? 'application/octet-stream' : type;
}

/** RFC 8187. Some systems allow lone surrogates in file names; they cannot be encoded as UTF-8. */
function encodeName(name: string): string {
  const whole = name.slice(-255).replace(/\p{Surrogate}/gu, '_');
  return encodeURIComponent(whole).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
