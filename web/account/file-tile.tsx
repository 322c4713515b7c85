// One stored file: a picture of it where there is one, and what can be done with it.
import { useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { fill } from '../parts/facts.ts';
import { Button } from '../parts/form-parts.tsx';
import { formatBytes, formatTime } from '../parts/format.ts';
import { gatehouse } from '../parts/gatehouse.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { namePurpose } from './purpose-texts.ts';

type Props = { readonly file: Calls['showFile']['data']; readonly onDeleted: () => void };

export function FileTile({ file, onDeleted }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const task = useTask(texts.offline);
  const url = gatehouse.files.url(file.id);
  const name = file.name ?? file.id;
  const copy = async () => {
    await navigator.clipboard.writeText(new URL(url, location.href).href);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  const remove = () =>
    task.run(async () => {
      await gatehouse.files.delete(file.id);
      onDeleted();
    });
  return (
    <li class="tile">
      <a class="preview" href={url} target="_blank" rel="noreferrer" aria-label={fill(texts.open, { name })}>
        {file.type.startsWith('image/') ? <img src={url} alt="" loading="lazy" /> : <TypeMark type={file.type} />}
      </a>
      <div class="tile-text">
        <p class="tile-name" title={name}>
          {name}
        </p>
        <p class="quiet-text">
          {namePurpose(file.purpose)} · {formatBytes(file.size)} · {formatTime(file.createdAt)}
        </p>
      </div>
      <div class="row">
        <a class="button plain" href={url} download={name} aria-label={`${texts.download}: ${name}`}>
          {texts.download}
        </a>
        <Button aria-label={`${texts.copyLink}: ${name}`} onClick={copy}>
          {isCopied ? texts.copied : texts.copyLink}
        </Button>
        <Button kind="danger" aria-label={`${texts.delete}: ${name}`} onClick={() => setAsking(true)}>
          {texts.delete}
        </Button>
      </div>
      <span class="visually-hidden" role="status">
        {isCopied ? texts.copied : ''}
      </span>
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

/** `application/pdf` is shown as PDF, long vendor names by their last word. */
function TypeMark({ type }: { readonly type: string }) {
  const word = type.split(/[/.+-]/).at(-1) ?? '';
  return (
    <span class="type-mark" aria-hidden="true">
      {word.slice(0, 5).toUpperCase()}
    </span>
  );
}
