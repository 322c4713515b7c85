// Shares a file: makes a link with an end, shows it once, and lists and revokes the links that work.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { FileLink, NewFileLink } from '../../client/src/sharing-calls.ts';
import '../parts/confirm.css';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { formatDays } from '../parts/format.ts';
import { LoadNotice } from '../parts/load-notice.tsx';
import { fill } from '../parts/page-data.ts';
import { useLoading } from '../parts/use-loading.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';
import { LinkList } from './link-list.tsx';
import { NewLink } from './new-link.tsx';
import './share-dialog.css';

type Props = { readonly file: { readonly id: string }; readonly name: string; readonly onClose: () => void };

const lives = [1, 7, 30] as const;
const secondsOfDay = 86_400;

export function ShareDialog({ file: { id }, name, onClose }: Props) {
  const [days, setDays] = useState<number>(7);
  const [isOnce, setOnce] = useState(false);
  const [created, setCreated] = useState<NewFileLink | undefined>();
  const [links, setLinks] = useState<readonly FileLink[] | undefined>();
  const [news, setNews] = useState<string | undefined>();
  const task = useTask(texts.offline);
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const loading = useLoading(async () => setLinks(await gatehouse.files.links.list(id)), texts.offline);
  useEffect(() => {
    dialog.current?.showModal();
    loading.load();
  }, []);
  const create = () =>
    task.run(async () => {
      setNews(undefined);
      setCreated(
        await gatehouse.files.links.create(id, { expiresIn: days * secondsOfDay, ...(isOnce && { uses: 1 }) }),
      );
      loading.load();
    });
  const revoke = (link: FileLink | undefined) =>
    task.run(async () => {
      if (link === undefined) await gatehouse.files.links.revokeAll(id);
      else await gatehouse.files.links.revoke(id, link.id);
      if (link === undefined || link.id === created?.id) setCreated(undefined);
      setNews(link === undefined ? texts.allRevoked : texts.revoked);
      loading.load();
    });
  return (
    <dialog ref={dialog} class="confirm share" aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>{fill(texts.shareTitle, { name })}</h2>
      <p class="lead">{texts.shareLead}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <Field label={texts.linkLife}>
          {(ids) => (
            <select id={ids.id} value={days} onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}>
              {lives.map((each) => (
                <option key={each} value={each}>
                  {formatDays(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <label class="tick">
          <input type="checkbox" checked={isOnce} onChange={({ currentTarget }) => setOnce(currentTarget.checked)} />
          {texts.linkOnce}
        </label>
        <Button kind="primary" type="submit" isBusy={task.isBusy}>
          {texts.createLink}
        </Button>
      </form>
      {created !== undefined && <NewLink key={created.id} url={created.url} name={name} />}
      <Notice kind="bad">{task.message}</Notice>
      <LoadNotice of={loading} />
      <Notice kind="good">{news}</Notice>
      {links !== undefined && <LinkList links={links} newest={created?.id} onRevoke={revoke} />}
      <div class="row">
        <Button onClick={() => dialog.current?.close()}>{texts.close}</Button>
      </div>
    </dialog>
  );
}
