// One stored file: a preview, a download, and a menu to share and delete it. A deleted file can be brought back in its place.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatBytes, formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { deleteIcon, downloadIcon, shareIcon } from '../parts/icons.ts';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { facts, fill } from '../parts/page-data.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { FilePreview } from './file-preview.tsx';
import { gatehouse } from './gatehouse.ts';
import { namePurpose } from './purpose-texts.ts';
import { isGone, restoreFile } from './restore-file.ts';
import { ShareDialog } from './share-dialog.tsx';

type FileRecord = Calls['showFile']['data'];

type Props = {
  readonly file: FileRecord;
  readonly isDeleted: boolean;
  readonly canShare: boolean;
  readonly onDeleted: () => void;
  readonly onRestored: (record: FileRecord) => void;
  /** It could not be restored any more. */
  readonly onGone: () => void;
};

export function FileTile({ file, isDeleted, canShare, onDeleted, onRestored, onGone }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const task = useTask(texts.offline);
  if (isDeleted) return <DeletedTile file={file} onRestored={onRestored} onGone={onGone} />;
  const url = gatehouse.files.url(file.id);
  const name = file.name ?? file.id;
  const remove = () =>
    task.run(async () => {
      await gatehouse.files.delete(file.id);
      setAsking(false);
      onDeleted();
    });
  const items: readonly MenuItem[] = [
    ...(canShare ? [{ icon: shareIcon, label: texts.share, onChoose: () => setSharing(true) }] : []),
    {
      icon: deleteIcon,
      label: texts.delete,
      kind: 'danger',
      // What can be undone needs no question.
      onChoose: facts.trashSeconds > 0 ? remove : () => setAsking(true),
    },
  ];
  return (
    <li class="tile" aria-busy={task.isBusy}>
      <FilePreview file={file} url={url} name={name} />
      <div class="tile-text">
        <p class="tile-name" dir="auto" title={name}>
          {name}
        </p>
        <p class="quiet-text">
          {namePurpose(file.purpose)} · {formatBytes(file.size)} · {formatTime(file.createdAt)}
        </p>
      </div>
      <div class="tile-actions">
        <a class="button plain" href={url} download={name} aria-label={`${texts.download}: ${name}`}>
          <Icon of={downloadIcon} />
          <span>{texts.download}</span>
        </a>
        <Menu label={fill(texts.moreActions, { name })} items={items} />
      </div>
      {!isAsking && <Notice kind="bad">{task.message}</Notice>}
      {isSharing && <ShareDialog file={file} name={name} onClose={() => setSharing(false)} />}
      {isAsking && (
        <Confirm
          question={fill(texts.deleteFile, { name })}
          explanation={texts.deleteFileLead}
          yes={texts.delete}
          no={texts.cancel}
          task={task}
          onYes={remove}
          onNo={() => setAsking(false)}
        />
      )}
    </li>
  );
}

function DeletedTile({ file, onRestored, onGone }: Pick<Props, 'file' | 'onRestored' | 'onGone'>) {
  const task = useTask(texts.offline);
  const isLost = isGone(task.error);
  const place = useRef<HTMLLIElement>(null);
  // The button that had the focus is gone.
  useEffect(() => place.current?.querySelector('button')?.focus(), []);
  useEffect(() => {
    if (!isLost) return;
    place.current?.focus();
    onGone();
  }, [isLost]);
  return (
    <li ref={place} class="tile deleted" tabIndex={-1}>
      <p role="status">{isLost ? task.message : fill(texts.fileDeleted, { name: file.name ?? file.id })}</p>
      {!isLost && (
        <Button isBusy={task.isBusy} onClick={() => task.run(async () => onRestored(await restoreFile(file)))}>
          {texts.undo}
        </Button>
      )}
      <Notice kind="bad">{!isLost && task.message}</Notice>
    </li>
  );
}
