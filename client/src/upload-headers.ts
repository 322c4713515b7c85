// The headers of an upload as a raw body, and when it is safe to repeat it. For the client of users and that of back ends.
import type { GatehouseError } from './gatehouse-error.ts';
import { isTransient } from './retry.ts';

export function uploadHeaders(file: Blob, idempotencyKey: string, name = nameOf(file)): Record<string, string> {
  return {
    'content-type': typeOf(file),
    'idempotency-key': idempotencyKey,
    ...(name !== undefined && { 'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}` }),
  };
}

/** After a broken connection the service may still be processing the previous attempt. */
export function mayRepeatUpload(error: GatehouseError, round: number): boolean {
  return (isTransient(error) && error.status !== 429) || (round > 1 && error.code === 'UPLOAD_IN_PROGRESS');
}

function nameOf(file: Blob): string | undefined {
  return 'name' in file && typeof file.name === 'string' ? file.name : undefined;
}

/**
 * The service reads `multipart/form-data` and `application/json` as other forms of upload, so a file of such a type is sent
 * without its type. So is a picture, a sound or a video with a name: a browser guesses its type from the name, which is often
 * wrong, and the service would refuse the contradiction. It reads the type from the bytes.
 */
function typeOf(file: Blob): string {
  const isForm = /^(multipart\/form-data|application\/json)/i.test(file.type);
  const isGuess = nameOf(file) !== undefined && /^(image|audio|video)\//i.test(file.type);
  return file.type === '' || isForm || isGuess ? 'application/octet-stream' : file.type;
}

/** RFC 8187. Some systems allow lone surrogates in file names; they cannot be encoded as UTF-8. */
function encodeName(name: string): string {
  const whole = name.slice(-255).replace(/\p{Surrogate}/gu, '_');
  return encodeURIComponent(whole).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
