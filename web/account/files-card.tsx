// The files of the user: choose files, watch the uploads, and use the stored files and those in the trash.
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { fileIcon } from '../parts/icons.ts';
import { LoadNotice } from '../parts/load-notice.tsx';
import { facts, fill } from '../parts/page-data.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { useLoading } from '../parts/use-loading.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { DropZone } from './drop-zone.tsx';
import { type ChosenFile, mostOfFolder } from './dropped-files.ts';
import { FileTile } from './file-tile.tsx';
import { gatehouse } from './gatehouse.ts';
import './files-card.css';
import { LoadingOffer } from './loading-cards.tsx';
import { describeAll, describePurpose, namePurpose } from './purpose-texts.ts';
import { describeQuota } from './quota.ts';
import { chooseAgain } from './restore-uploads.ts';
import { TrashSection } from './trash-section.tsx';
import { UploadList } from './upload-list.tsx';
import { isActive } from './upload-queue.ts';
import { useCalm } from './use-calm.ts';
import { useFileDrop } from './use-file-drop.ts';
import { admit, useUploads } from './use-uploads.ts';

type FileRecord = Calls['listFiles']['data']['files'][number];

const pageSize = 24;
/** A longer list is read again from the service instead of growing. */
const mostTiles = 120;

type Props = {
  readonly user: string;
  /** Whether signing out would lose an upload. */
  readonly onUploading: (isUploading: boolean) => void;
};

export function FilesCard({ user, onUploading }: Props) {
  const [offer, setOffer] = useState<Calls['listPurposes']['data'] | undefined>();
  const [chosen, setChosen] = useState('');
  const [list, setList] = useState<Calls['listFiles']['data'] | undefined>();
  const [deleted, setDeleted] = useState<string | undefined>();
  const [changes, setChanges] = useState(0);
  const [hint, setHint] = useState<string | undefined>();
  const task = useTask(texts.offline);
  const loadOffer = useCalm(async () => setOffer(await gatehouse.files.purposes()));
  const loadList = useCalm(async () => setList(await gatehouse.files.list({ limit: pageSize })));
  /** What is shown of the room is what the service counts now. */
  const recount = () => void loadOffer().catch(() => undefined);
  const rereadTrash = () => {
    setChanges((number) => number + 1);
    recount();
  };
  const show = (record: FileRecord) =>
    setList((now) => now && { ...now, files: [record, ...now.files.filter(({ id }) => id !== record.id)] });
  const { queue, uploader } = useUploads(user, {
    onStored: (record) => {
      show(record);
      recount();
    },
    onFailed: recount,
  });
  const loading = useLoading(async () => void (await Promise.all([loadOffer(), loadList()])), texts.offline);
  useEffect(loading.load, []);
  const isUploading = queue.uploads.some(isActive);
  useEffect(() => onUploading(isUploading), [isUploading]);
  const count = list?.files.length ?? 0;
  useEffect(() => {
    if (count > mostTiles && list?.next === null) loadList().catch(() => undefined);
  }, [count]);
  const more = (cursor: string) =>
    task.run(async () => {
      const next = await gatehouse.files.list({ limit: pageSize, cursor });
      setList((now) => ({ ...next, files: [...(now?.files ?? []), ...next.files] }));
    });
  /** The last deleted file stays in its place, with a button that brings it back. */
  const onDeleted = ({ id }: FileRecord) => {
    const isKept = (file: FileRecord) => file.id !== deleted && (facts.trashSeconds > 0 || file.id !== id);
    setList((now) => now && { ...now, files: now.files.filter(isKept) });
    setDeleted(id);
    rereadTrash();
  };
  const onRestored = (record: FileRecord) => {
    if (record.id === deleted) setDeleted(undefined);
    else show(record);
    rereadTrash();
  };
  /** What is gone for good cannot be brought back in its place. */
  const onRemoved = (removed: string) => {
    const isKept = ({ id }: FileRecord) => id !== deleted || (removed !== 'all' && removed !== id);
    setList((now) => now && { ...now, files: now.files.filter(isKept) });
    recount();
  };
  const purpose = offer?.purposes.find(({ name }) => name === chosen);
  const take = (files: readonly ChosenFile[]) => {
    if (offer === undefined) return;
    setHint(files.length >= mostOfFolder ? fill(texts.onlyFirst, { count: mostOfFolder }) : undefined);
    const fresh = files.filter(({ file }) => !giveToMissing(file));
    uploader.add(
      fresh.map(({ file, handle }) => ({ upload: admit(file, purpose, offer.purposes), source: { file, handle } })),
    );
  };
  /** A file that an upload from before a reload waits for goes on there. */
  const giveToMissing = (file: File) => {
    const { uploads } = uploader.now();
    const upload = uploads.find(
      ({ state, name, size }) => state === 'missing' && name === file.name && size === file.size,
    );
    if (upload !== undefined) void chooseAgain(uploader, upload, file);
    return upload !== undefined;
  };
  const { isOver, handlers } = useFileDrop(take);
  return (
    <section class={isOver ? 'card files over' : 'card files'} aria-labelledby="files" {...handlers}>
      <header>
        <h2 id="files">{texts.files}</h2>
        <p class="quiet-text">{offer === undefined ? '\u00a0' : describeQuota(offer.quota)}</p>
      </header>
      {offer === undefined ? (
        <LoadingOffer />
      ) : (
        <div class="add">
          <Field label={texts.purpose}>
            {({ id }) => (
              <select id={id} value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
                <option value="">{texts.purposeAuto}</option>
                {offer.purposes.map(({ name }) => (
                  <option key={name} value={name}>
                    {namePurpose(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <DropZone
            accept={purpose?.accept ?? offer.purposes.map(({ accept }) => accept).join(',')}
            hint={purpose === undefined ? describeAll(offer.purposes) : describePurpose(purpose)}
            isOver={isOver}
            onFiles={(files) => take(files.map((file) => ({ file })))}
          />
        </div>
      )}
      <LoadNotice of={loading} />
      <Notice kind="bad">{task.message}</Notice>
      <Notice kind="plain">{hint}</Notice>
      <UploadList queue={queue} uploader={uploader} purposes={offer?.purposes ?? []} />
      {list === undefined && loading.error === undefined && <Skeleton shape="tiles" count={3} />}
      {count === 0 && list !== undefined && queue.uploads.length === 0 && (
        <EmptyState icon={fileIcon} title={texts.noFiles}>
          {texts.noFilesLead}
        </EmptyState>
      )}
      {list !== undefined && count > 0 && (
        <ul class="tiles">
          {list.files.map((file) => (
            <FileTile
              key={file.id}
              file={file}
              isDeleted={file.id === deleted}
              canShare={offer?.purposes.find(({ name }) => name === file.purpose)?.links === true}
              onDeleted={() => onDeleted(file)}
              onRestored={onRestored}
              onGone={rereadTrash}
            />
          ))}
        </ul>
      )}
      {list?.next != null && <Button onClick={() => more(list.next ?? '')}>{texts.more}</Button>}
      {facts.trashSeconds > 0 && list !== undefined && (
        <TrashSection
          changes={`${changes} ${offer?.quota.trashFiles ?? 0}`}
          onRestored={onRestored}
          onRemoved={onRemoved}
        />
      )}
    </section>
  );
}
