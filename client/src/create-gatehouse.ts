// The entry point of the package: signs users in, keeps them signed in, and uploads and lists their files.

import { createCore, type GatehouseOptions } from './create-core.ts';
import type { SignOutReason } from './events.ts';
import { createFileCalls } from './file-calls.ts';
import { type FileFault, findFault, type Purpose } from './find-fault.ts';
import { type ErrorCode, GatehouseError } from './gatehouse-error.ts';
import type { PendingUpload } from './pending-uploads.ts';
import type { ScheduledPhone } from './phone-calls.ts';
import type { AskForCode, CodeWanted, ProofWay } from './proof-calls.ts';
import type { FileLink, LinkOptions, NewFileLink } from './sharing-calls.ts';
import { browserStorage, memoryStorage, type Storage } from './storage.ts';
import type { TrashedFile } from './trash-calls.ts';
import { createUploadControl, type UploadControl, type UploadState } from './upload-control.ts';
import { createUploadMemory, type FileHandle, type RememberedUpload, type UploadMemory } from './upload-memory.ts';
import {
  type FileRecord,
  type Progress,
  resumableAbove,
  type TransferOptions,
  type UploadOptions,
} from './upload-options.ts';

export type {
  AskForCode,
  CodeWanted,
  ErrorCode,
  FileFault,
  FileHandle,
  FileLink,
  FileRecord,
  GatehouseOptions,
  LinkOptions,
  NewFileLink,
  PendingUpload,
  Progress,
  ProofWay,
  Purpose,
  RememberedUpload,
  ScheduledPhone,
  SignOutReason,
  Storage,
  TransferOptions,
  TrashedFile,
  UploadControl,
  UploadMemory,
  UploadOptions,
  UploadState,
};
export {
  browserStorage,
  createUploadControl,
  createUploadMemory,
  findFault,
  GatehouseError,
  memoryStorage,
  resumableAbove,
};

export type Gatehouse = ReturnType<typeof createGatehouse>;

/**
 * Creates the client. Create it once per app. It renews the tokens when needed, in all tabs together.
 * @example
 * import { createGatehouse } from '@gatehouse/client';
 *
 * const gatehouse = createGatehouse({ url: 'https://id.example.com' });
 * await gatehouse.phone.sendCode('+12025550123');
 */
export function createGatehouse(options: GatehouseOptions = {}) {
  const { calls, fileParts } = createCore(options);
  return { ...calls, files: createFileCalls(fileParts) };
}
