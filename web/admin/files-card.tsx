// The files of a user: name and size, never the content. Staff can delete a file.

import { formatBytes, formatTime } from '../parts/format.ts';
import { fileIcon } from '../parts/icons.ts';
import { fill } from '../parts/page-data.ts';
import { fillCount, texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card, Rows } from './list-parts.tsx';
import type { ShownUser } from './shown-user.ts';
import { useActions } from './use-actions.tsx';
import { useList } from './use-list.ts';
import { writeWord } from './write-detail.ts';

type StoredFile = Calls['adminFiles']['data']['files'][number];

type Props = {
  readonly id: string;
  /** The user, as the page names them. */
  readonly name: string;
  readonly usage: ShownUser['usage'];
  readonly version: number;
  readonly onDone: () => void;
};

export function FilesCard({ id, name, usage, version, onDone }: Props) {
  const { button, dialog, notice } = useActions(onDone);
  const list = useList<StoredFile>(`${id} ${version}`, async (cursor) => {
    const { files, next } = await call('adminFiles', { at: { id }, cursor });
    return { items: files, next };
  });
  return (
    <Card id="files" title={texts.files}>
      {usage.files + usage.reserved.files > 0 && (
        <p class="quiet-text">
          {fillCount(texts.usage, { count: usage.files, size: formatBytes(usage.bytes) })} ·{' '}
          {fill(texts.usageParts, {
            trash: formatBytes(usage.trash.bytes),
            reserved: formatBytes(usage.reserved.bytes),
          })}
        </p>
      )}
      {notice}
      <Rows list={list} icon={fileIcon} empty={texts.noFiles}>
        {(file) => (
          <li key={file.id}>
            <span class="grow">
              <bdi>{file.name}</bdi>
              <span class="quiet-text">
                {' '}
                · {writeWord(file.purpose)} · {formatBytes(file.size)} · {formatTime(file.createdAt)}
              </span>
            </span>
            {button(
              {
                label: texts.deleteFile,
                title: fill(texts.deleteFileTitle, { name: file.name ?? file.id, user: name }),
                lead: texts.deleteFileLead,
                call: 'adminDeleteFile',
                act: (reason) => call('adminDeleteFile', { at: { id, file: file.id }, body: { reason } }),
              },
              file.name,
            )}
          </li>
        )}
      </Rows>
      {dialog}
    </Card>
  );
}
