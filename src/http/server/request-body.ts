// Reads the body of a request: JSON or a form where a route takes it, an empty one elsewhere, none where the route reads the stream itself.
import { type Parameters, readParameters } from '../../apps/requests/parameters.ts';
import { Failure } from '../../kernel/failure.ts';
import { parseJsonObject, readBytes } from './json-body.ts';
import type { HttpRequest, RouteRules } from './request.ts';

const formType = 'application/x-www-form-urlencoded';

export type BodyParts = {
  /** A body must arrive whole within this time. */
  readonly milliseconds: number;
  /** Counts a request whose route would have counted it after its body. */
  readonly countAddress: (address: string) => void;
};

/** Undefined if there is nothing to read. */
export function readBody(request: HttpRequest, rules: RouteRules, parts: BodyParts): Promise<unknown> | undefined {
  const { method, headers } = request;
  const length = headers['content-length'];
  const isEmpty = headers['transfer-encoding'] === undefined && (length === undefined || length === '0');
  // RFC 9110 section 9.3.1: such a body means nothing.
  if (method === 'GET' || method === 'HEAD')
    return isEmpty ? undefined : readBytes(request.raw, parts.milliseconds).then(() => undefined);
  const type = headers['content-type'];
  if (isEmpty && (type === undefined || type === 'application/json')) return undefined;
  const mediaType = type === undefined ? '' : mediaTypeOf(type);
  if (mediaType === undefined) throw unsupported();
  return readTyped(request, rules, parts, mediaType === 'application/json');
}

async function readTyped(request: HttpRequest, rules: RouteRules, parts: BodyParts, isJson: boolean): Promise<unknown> {
  if (rules.takesForm === true) return readForm(request, rules, parts);
  if (isJson && !isPlainJson(request.headers['content-type'] ?? '')) throw unsupported();
  if (rules.takesStream === true) return undefined;
  // Any other type: only an empty body, and only on a route that takes no body.
  if (!isJson && rules.takesBody === true) throw unsupported();
  const bytes = await readBytes(request.raw, parts.milliseconds, rules.maxBodyBytes);
  if (bytes.length === 0) return undefined;
  if (!isJson) throw unsupported();
  return parseJsonObject(bytes);
}

async function readForm(
  request: HttpRequest,
  { isCountedByKey }: RouteRules,
  { milliseconds, countAddress }: BodyParts,
): Promise<Parameters | undefined> {
  try {
    const bytes = await readBytes(request.raw, milliseconds);
    if (bytes.length === 0) return undefined;
    if (!isForm(request.headers['content-type'])) throw unsupported(formType);
    return readParameters(decodeForm(bytes));
  } catch (failure) {
    if (isCountedByKey === true) countAddress(request.clientAddress);
    throw failure;
  }
}

/** A malformed content type does not matter if the body is empty or the route reads the body itself. Such a header is removed. */
export function dropUnusedContentType(
  { headers }: HttpRequest,
  { takesBody, takesStream, takesForm }: RouteRules,
): void {
  const type = headers['content-type'];
  if (type === undefined || type === 'application/json') return;
  // A route that reads the body itself uses the type of an empty body too: it declares what follows in other requests.
  const isEmpty =
    takesStream !== true && headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isReadable = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(type);
  if ((takesBody !== true && isEmpty) || ((takesStream ?? takesForm) === true && !isReadable))
    delete headers['content-type'];
}

/** In lower case, without parameters. Undefined if the header is malformed. */
function mediaTypeOf(type: string): string | undefined {
  if (type === 'application/json') return type;
  const [media = ''] = type.split(';', 1);
  return /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/.test(media.trim()) ? media.trim().toLowerCase() : undefined;
}

/** JSON is UTF-8. */
function isPlainJson(type: string): boolean {
  if (type === 'application/json') return true;
  return (
    /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?(;.*)?$/i.test(type) &&
    !/charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i.test(type)
  );
}

/** A form has no charset of its own: it is UTF-8. */
function isForm(type: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(type ?? '');
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeForm(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Failure('REQUEST_INVALID', { field: 'body' });
  }
}

function unsupported(list = 'application/json'): Failure {
  return new Failure('MEDIA_TYPE_UNSUPPORTED', { list });
}
