// The files of the user: choose a purpose, upload files with progress, and list the stored files.
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { fill } from '../parts/facts.ts';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { formatBytes } from '../parts/format.ts';
import { gatehouse } from '../parts/gatehouse.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { DropZone } from './drop-zone.tsx';
import { FileTile } from './file-tile.tsx';
import './files-card.css';
import { describePurpose, namePurpose } from './purpose-texts.ts';
import { UploadRow } from './upload-row.tsx';
import { useUploads } from './use-uploads.ts';

type FileRecord = Calls['listFiles']['data']['files'][number];

export function FilesCard() {
  const [offer, setOffer] = useState<Calls['listPurposes']['data'] | undefined>();
  const [chosen, setChosen] = useState('');
  const [list, setList] = useState<Calls['listFiles']['data'] | undefined>();
  const task = useTask(texts.offline);
  const loadOffer = async () => setOffer(await gatehouse.files.purposes());
  const uploads = useUploads((record) => {
    setList((now) => now && { ...now, files: [record, ...now.files] });
    loadOffer().catch(() => undefined);
  });
  useEffect(
    () =>
      task.run(async () => {
        await loadOffer();
        setList(await gatehouse.files.list({ limit: 24 }));
      }),
    [],
  );
  const more = (cursor: string) =>
    task.run(async () => {
      const next = await gatehouse.files.list({ limit: 24, cursor });
      setList((now) => ({ ...next, files: [...(now?.files ?? []), ...next.files] }));
    });
  const forget = ({ id }: FileRecord) => {
    setList((now) => now && { ...now, files: now.files.filter((file) => file.id !== id) });
    loadOffer().catch(() => undefined);
  };
  const purpose = offer?.purposes.find(({ name }) => name === chosen) ?? offer?.purposes[0];
  return (
    <section class="card files" aria-labelledby="files">
      <header>
        <h2 id="files">{texts.files}</h2>
        {offer !== undefined && (
          <p class="quiet-text">
            {fill(texts.quota, {
              used: formatBytes(offer.quota.usedBytes),
              max: formatBytes(offer.quota.maxBytes),
            })}
          </p>
        )}
      </header>
      {offer !== undefined && purpose !== undefined && (
        <div class="add">
          <Field label={texts.purpose}>
            {({ id }) => (
              <select id={id} value={purpose.name} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
                {offer.purposes.map(({ name }) => (
                  <option key={name} value={name}>
                    {namePurpose(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <DropZone
            accept={purpose.accept}
            hint={describePurpose(purpose)}
            onFiles={(files) => uploads.add(files, purpose, offer.quota.maxBytes - offer.quota.usedBytes)}
          />
        </div>
      )}
      <Notice kind="bad">{task.message}</Notice>
      {uploads.all.length > 0 && (
        <ul class="uploads" aria-label={texts.uploads}>
          {uploads.all.map((upload) => (
            <UploadRow
              key={upload.key}
              upload={upload}
              onCancel={() => uploads.cancel(upload.key)}
              onRetry={() => uploads.retry(upload.key)}
              onDismiss={() => uploads.dismiss(upload.key)}
            />
          ))}
        </ul>
      )}
      {list !== undefined && list.files.length === 0 && uploads.all.length === 0 && (
        <p class="empty-state">{texts.noFiles}</p>
      )}
      {list !== undefined && list.files.length > 0 && (
        <ul class="tiles">
          {list.files.map((file) => (
            <FileTile key={file.id} file={file} onDeleted={() => forget(file)} />
          ))}
        </ul>
      )}
      {list?.next != null && <Button onClick={() => more(list.next ?? '')}>{texts.more}</Button>}
    </section>
  );
}
