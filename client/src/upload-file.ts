// Uploads a file as a raw body: with progress where there is XMLHttpRequest, and safe to repeat by its key.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import type { GatehouseError } from './gatehouse-error.ts';
import { newKey } from './new-key.ts';
import { readAnswer } from './read-answer.ts';
import { isPassing, retry } from './retry.ts';
import { sendByFetch, sendByXhr } from './send-bytes.ts';
import { lineOf, type WireOptions } from './wire.ts';

export type FileRecord = Calls['uploadFile']['data'];

export type Progress = { readonly sentBytes: number; readonly totalBytes: number };

export type UploadOptions = {
  readonly purpose: string;
  /** Instead of the file's own name. */
  readonly name?: string | undefined;
  /** Without XMLHttpRequest it is told of the beginning and the end alone. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Made anew for each upload; hand in your own to repeat one after the app was started again. */
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
  const own = {
    'content-type': typeOf(file),
    'idempotency-key': idempotencyKey,
    ...(name !== undefined && { 'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}` }),
    ...(wire.language !== undefined && { 'accept-language': wire.language }),
  };
  const tell = (sentBytes: number) => onProgress?.({ sentBytes, totalBytes: file.size });
  const url = `${wire.base}${path}`;
  // A try may take longer than a token lives, so each asks for its own.
  const attempt = () =>
    access.run(async (headers) =>
      readAnswer(await send(wire, { method, url, headers: { ...headers, ...own }, file, signal, tell })),
    );
  return (await retry(attempt, isWorthIt)) as FileRecord;
}

/** After a broken connection the service may still be busy with the try before. */
function isWorthIt(error: GatehouseError, round: number): boolean {
  return (isPassing(error) && error.status !== 429) || (round > 1 && error.code === 'UPLOAD_IN_PROGRESS');
}

function nameOf(file: Blob): string | undefined {
  return 'name' in file && typeof file.name === 'string' ? file.name : undefined;
}

/** Types that the service would take for another form of upload say nothing. */
function typeOf({ type }: Blob): string {
  return type === '' || /^(multipart\/form-data|application\/json)/i.test(type) ? 'application/octet-stream' : type;
}

/** RFC 8187. Halves of characters, which some systems allow in names, have no UTF-8. */
function encodeName(name: string): string {
  const whole = name.slice(-255).replace(/\p{Surrogate}/gu, '_');
  return encodeURIComponent(whole).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
