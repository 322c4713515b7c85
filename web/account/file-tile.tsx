// One stored file: a preview, and buttons to download it, copy its link and delete it.
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
      <Preview file={file} url={url} name={name} />
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

type PreviewProps = { readonly file: Props['file']; readonly url: string; readonly name: string };

/** Plays audio and video in place. Everything else opens in a new tab. */
function Preview({ file, url, name }: PreviewProps) {
  if (file.type.startsWith('video/'))
    // biome-ignore lint/a11y/useMediaCaption: the user's file has no captions
    return <video class="preview" src={url} controls preload="metadata" playsInline aria-label={name} />;
  if (file.type.startsWith('audio/'))
    return (
      <div class="preview sound">
        <TypeMark type={file.type} />
        {/* biome-ignore lint/a11y/useMediaCaption: the user's file has no captions */}
        <audio src={url} controls preload="none" aria-label={name} />
      </div>
    );
  return (
    <a class="preview" href={url} target="_blank" rel="noreferrer" aria-label={fill(texts.open, { name })}>
      {file.type.startsWith('image/') ? <img src={url} alt="" loading="lazy" /> : <TypeMark type={file.type} />}
    </a>
  );
}

/** Common names of these types. All others are shown as the last part of their name: `application/pdf` as PDF. */
const typeMarks: Readonly<Record<string, string>> = {
  'text/plain': 'TXT',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'audio/mpeg': 'MP3',
  'audio/mp4': 'M4A',
};

function TypeMark({ type }: { readonly type: string }) {
  return (
    <span class="type-mark" aria-hidden="true">
      {typeMarks[type] ?? type.split('/').at(-1)?.toUpperCase()}
    </span>
  );
}
