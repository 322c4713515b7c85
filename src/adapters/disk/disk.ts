// The storage without STORAGE_URL: the data folder on the local disk.
import { join } from 'node:path';
import type { LocalStorage } from '../storage-provider.ts';

export const disk: LocalStorage = {
  title: 'the disk',
  cure: 'check that DATA_DIR belongs to the user of the service, is writable, and has free space',
  spoolFolder: (dataDir) => join(dataDir, 'files'),
  createBlobs: async (dataDir) => {
    const { createDiskBlobs } = await import('./disk-blobs.ts');
    return createDiskBlobs(join(dataDir, 'files'));
  },
};
