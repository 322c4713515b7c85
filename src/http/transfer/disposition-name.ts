// The name of a file in a Content-Disposition field: in UTF-8 if its bytes are UTF-8, as most clients send it, otherwise in Latin-1.
import { isUtf8 } from 'node:buffer';
import { parse } from 'content-disposition';

type Form = { readonly multipart?: boolean };

/** The field as Node gives it: a character for each byte. RFC 6266: `filename*` says its own charset, and wins. Throws if it is malformed. */
export function readDispositionName(field: string, form: Form = {}): string | undefined {
  const name = parse(field, form).parameters.filename;
  const { filename: plain, 'filename*': extended } = parse(field, { ...form, extended: false }).parameters;
  const isExtended = name !== plain || (extended !== undefined && readExtended(extended) === name);
  // PostgreSQL refuses NUL in a text, and the name of an upload is stored before it is cleaned.
  return (isExtended ? name : name && readBytes(name))?.replaceAll('\0', '');
}

function readExtended(value: string): string | undefined {
  return parse(`attachment; filename*=${value}`).parameters.filename;
}

function readBytes(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
}
