// The storage where STORAGE_URL is not set: the disk, in the data folder.
import { join } from 'node:path';
import type { LocalStorage } from '../storage-provider.ts';

export const disk: LocalStorage = {
  title: 'the disk',
  cure: 'look whether DATA_DIR belongs to the user of the service, can be written, and has room',
  spoolFolder: (dataDir) => join(dataDir, 'files'),
  createBlobs: async (dataDir) => {
    const { createDiskBlobs } = await import('./disk-blobs.ts');
    return createDiskBlobs(join(dataDir, 'files'));
  },
};
