// The deleted files that can still be restored: how long, and buttons to restore them or to remove them for good.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TrashedFile } from '../../client/src/trash-calls.ts';
import type { FileRecord } from '../../client/src/upload-options.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatBytes, formatDays, formatDuration } from '../parts/format.ts';
import { LoadNotice } from '../parts/load-notice.tsx';
import { fill } from '../parts/page-data.ts';
import { useLoading } from '../parts/use-loading.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';
import { restoreFile } from './restore-file.ts';
import './trash-section.css';

type Props = {
  /** Changes when a file was deleted or restored elsewhere on the page, or made way for an upload. */
  readonly changes: string;
  readonly onRestored: (record: FileRecord) => void;
  /** One file, or all, is gone for good. */
  readonly onRemoved: (removed: string | 'all') => void;
};

type Page = { readonly files: readonly TrashedFile[]; readonly next: string | null };

const pageSize = 24;
const daySeconds = 86_400;

export function TrashSection({ changes, onRestored, onRemoved }: Props) {
  const [page, setPage] = useState<Page>({ files: [], next: null });
  /** What the user is asked about: one file, or all. */
  const [asked, setAsked] = useState<TrashedFile | 'all' | undefined>();
  const [news, setNews] = useState<string | undefined>();
  const task = useTask(texts.offline);
  const summary = useRef<HTMLElement>(null);
  const loading = useLoading(async () => setPage(await gatehouse.files.trash.list({ limit: pageSize })), texts.offline);
  useEffect(loading.load, [changes]);
  const restore = (file: TrashedFile) =>
    task.run(async () => {
      onRestored(await restoreFile(file));
      setNews(fill(texts.restored, { name: nameOf(file) }));
      summary.current?.focus();
    });
  const remove = () =>
    task.run(async () => {
      if (asked === undefined) return;
      if (asked === 'all') await gatehouse.files.trash.empty();
      else await gatehouse.files.trash.remove(asked.id);
      setAsked(undefined);
      loading.load();
      onRemoved(asked === 'all' ? asked : asked.id);
      summary.current?.focus();
    });
  const more = (cursor: string) =>
    task.run(async () => {
      const { files, next } = await gatehouse.files.trash.list({ limit: pageSize, cursor });
      setPage((now) => ({ files: [...now.files, ...files], next }));
    });
  const { files, next } = page;
  return (
    <>
      <span class="visually-hidden" role="status">
        {news}
      </span>
      {files.length > 0 && (
        <details class="trash">
          <summary ref={summary}>{texts.trash}</summary>
          <p class="quiet-text">{texts.trashLead}</p>
          <ul>
            {files.map((file) => (
              <li key={file.id}>
                <div class="trash-text">
                  <p class="tile-name" dir="auto" title={nameOf(file)}>
                    {nameOf(file)}
                  </p>
                  <p class="quiet-text">
                    {formatBytes(file.size)} · {fill(texts.trashLeft, { duration: timeLeft(file) })}
                  </p>
                </div>
                <div class="row">
                  <Button aria-label={`${texts.restore}: ${nameOf(file)}`} onClick={() => restore(file)}>
                    {texts.restore}
                  </Button>
                  <Button
                    kind="danger"
                    aria-label={`${texts.deleteForGood}: ${nameOf(file)}`}
                    onClick={() => setAsked(file)}
                  >
                    {texts.deleteForGood}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
          <div class="row">
            {next !== null && <Button onClick={() => more(next)}>{texts.more}</Button>}
            {files.length > 1 && (
              <Button kind="danger" onClick={() => setAsked('all')}>
                {texts.emptyTrash}
              </Button>
            )}
          </div>
        </details>
      )}
      {asked === undefined && <Notice kind="bad">{task.message}</Notice>}
      <LoadNotice of={loading} />
      {asked !== undefined && (
        <Confirm
          question={asked === 'all' ? texts.emptyTrashQuestion : fill(texts.removeFile, { name: nameOf(asked) })}
          explanation={texts.deleteFileLead}
          yes={texts.deleteForGood}
          no={texts.cancel}
          task={task}
          onYes={remove}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function nameOf({ name, id }: TrashedFile): string {
  return name ?? id;
}

/** Whole days while there is more than one. */
function timeLeft({ removedAt }: TrashedFile): string {
  const seconds = Math.max(0, (Date.parse(removedAt) - Date.now()) / 1000);
  return seconds > daySeconds ? formatDays(Math.ceil(seconds / daySeconds)) : formatDuration(seconds);
}
