// Ports whose settlements are noted right before, as the use cases do it: for suites in which the ids of files in the making decide nothing.

import type { FileStore } from '../../../src/files/stored-file.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import type { Ports } from '../../../src/store/ports.ts';

export function noting<Given extends Pick<Ports, 'files' | 'removals'>>(ports: Given): Given {
  const settle: FileStore['settle'] = async (settlement) => {
    await ports.removals.note(pendingUntil(Number.MAX_SAFE_INTEGER, settlement.file.id));
    return ports.files.settle(settlement);
  };
  return { ...ports, files: { ...ports.files, settle } };
}

export function pendingUntil(until: number, ...ids: readonly FileId[]) {
  return { ids, until, unused: [] };
}
