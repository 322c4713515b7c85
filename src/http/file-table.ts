// The API of files: method, path, guards, route. An app may call it with its own token.
import type { LimitRule } from '../abuse/limits.ts';
import type { FileDeps } from '../files/deps.ts';
import type { Secrets } from '../kernel/crypto/secrets.ts';
import { paths } from './interface/paths.ts';
import type { Route } from './interface/route.ts';
import type { GuardName, RouteLine } from './interface/route-line.ts';
import { getFileRoute } from './routes/files/get-file.ts';
import { listFilesRoute } from './routes/files/list-files.ts';
import { listPurposesRoute } from './routes/files/list-purposes.ts';
import { appendUploadRoute } from './routes/files/resumable/append-upload.ts';
import { cancelUploadRoute } from './routes/files/resumable/cancel-upload.ts';
import { createCreationReceiver } from './routes/files/resumable/create-upload.ts';
import { listUploadsRoute } from './routes/files/resumable/list-uploads.ts';
import { showUploadRoute } from './routes/files/resumable/show-upload.ts';
import type { SendContent } from './routes/files/send-content.ts';
import { createFileLinkRoute } from './routes/files/sharing/create-link.ts';
import { listFileLinksRoute } from './routes/files/sharing/list-links.ts';
import { listFileReadersRoute } from './routes/files/sharing/list-readers.ts';
import { revokeFileLinkRoute, revokeFileLinksRoute } from './routes/files/sharing/revoke-links.ts';
import { setFileReadersRoute } from './routes/files/sharing/set-readers.ts';
import { showFileRoute } from './routes/files/show-file.ts';
import { deleteFileRoute } from './routes/files/trash/delete-file.ts';
import { emptyTrashRoute } from './routes/files/trash/empty-trash.ts';
import { listTrashRoute } from './routes/files/trash/list-trash.ts';
import { removeFromTrashRoute } from './routes/files/trash/remove-from-trash.ts';
import { restoreFileRoute } from './routes/files/trash/restore-file.ts';
import type { ReceiveUpload } from './routes/files/uploads/receive-upload.ts';
import { uploadFileRoute } from './routes/files/uploads/upload-file.ts';

type FileTableParts = {
  readonly deps: FileDeps & { readonly secrets: Secrets };
  readonly publicUrl: string;
  readonly uploadsPerUser: readonly LimitRule[];
  readonly sendContent: SendContent;
  readonly receiveUpload: ReceiveUpload;
};

export function createFileTable({
  deps,
  publicUrl,
  uploadsPerUser,
  sendContent,
  receiveUpload,
}: FileTableParts): RouteLine[] {
  const receiveCreation = createCreationReceiver(deps);
  return [
    line(
      'uploadFile',
      'POST',
      paths.uploads,
      ['access', 'origin'],
      uploadFileRoute(deps, receiveUpload, receiveCreation, uploadsPerUser),
    ),
    line('appendUpload', 'PATCH', paths.upload, ['access', 'origin'], appendUploadRoute(deps)),
    line('showUpload', 'GET', paths.upload, ['access', 'origin'], showUploadRoute(deps)),
    line('cancelUpload', 'DELETE', paths.upload, ['access', 'origin'], cancelUploadRoute(deps)),
    line('listUploads', 'GET', '/api/file/uploads', ['access'], listUploadsRoute(deps)),
    line('listPurposes', 'GET', '/api/file/purposes', ['access'], listPurposesRoute(deps)),
    line('listFiles', 'GET', '/api/file', ['access'], listFilesRoute(deps)),
    line('listTrash', 'GET', '/api/file/trash', ['access'], listTrashRoute(deps)),
    line('emptyTrash', 'DELETE', '/api/file/trash', ['access', 'origin'], emptyTrashRoute(deps)),
    line('removeFromTrash', 'DELETE', '/api/file/trash/:id', ['access', 'origin'], removeFromTrashRoute(deps)),
    line('showFile', 'GET', '/api/file/:id', ['access'], showFileRoute(deps)),
    line('deleteFile', 'DELETE', '/api/file/:id', ['access', 'origin'], deleteFileRoute(deps)),
    line('restoreFile', 'POST', '/api/file/:id/restore', ['access', 'origin'], restoreFileRoute(deps)),
    line('createFileLink', 'POST', '/api/file/:id/links', ['access', 'origin'], createFileLinkRoute(deps, publicUrl)),
    line('listFileLinks', 'GET', '/api/file/:id/links', ['access'], listFileLinksRoute(deps)),
    line('revokeFileLinks', 'DELETE', '/api/file/:id/links', ['access', 'origin'], revokeFileLinksRoute(deps)),
    line('revokeFileLink', 'DELETE', '/api/file/:id/links/:linkId', ['access', 'origin'], revokeFileLinkRoute(deps)),
    line('setFileReaders', 'PUT', '/api/file/:id/readers', ['access', 'origin'], setFileReadersRoute(deps)),
    line('listFileReaders', 'GET', '/api/file/:id/readers', ['access'], listFileReadersRoute(deps)),
    { ...line('getFile', 'GET', paths.file, ['access'], getFileRoute(deps, sendContent)), opensByLink: true },
  ];
}

function line(
  name: string,
  method: RouteLine['method'],
  path: string,
  guards: readonly GuardName[],
  route: Route,
): RouteLine {
  return { name, tag: 'file', method, path, guards, appScope: 'files', route };
}
