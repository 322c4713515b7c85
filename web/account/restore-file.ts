// Takes a file back from the trash. If it is no longer there, the failure says that it is gone for good: an upload may have taken its room.
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import type { FileRecord } from '../../client/src/upload-options.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';

export async function restoreFile({ id, name }: Pick<FileRecord, 'id' | 'name'>): Promise<FileRecord> {
  try {
    return await gatehouse.files.trash.restore(id);
  } catch (failure) {
    if (!(failure instanceof GatehouseError) || !isGone(failure)) throw failure;
    const { code, status } = failure;
    throw new GatehouseError({ code, status, message: fill(texts.notRestored, { name: name ?? id }), cause: failure });
  }
}

export function isGone(error: GatehouseError | undefined): boolean {
  return error?.code === 'FILE_NOT_FOUND';
}
