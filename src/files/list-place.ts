// Where a page of a list of files or uploads ended, as the cursor that the caller sends back.
import { Failure } from '../kernel/failure.ts';
import { isFileId } from './stored-file.ts';

type Place = { readonly at: number; readonly id: string };

export function writePlace({ at, id }: Place): string {
  return Buffer.from(`${at} ${id}`).toString('base64url');
}

export function readPlace(text: string, isId: (id: string) => boolean = isFileId): Place {
  const [at = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ');
  if (!/^\d{1,15}$/.test(at) || !isId(id)) throw new Failure('REQUEST_INVALID', { field: 'cursor' });
  return { at: Number(at), id };
}
