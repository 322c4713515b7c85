// Shows a stored file: plays audio and video in place. Everything else opens in a new tab.
import { useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { fill } from '../parts/page-data.ts';
import { TypeMark } from '../parts/type-mark.tsx';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';

type Props = { readonly file: Calls['showFile']['data']; readonly url: string; readonly name: string };

export function FilePreview({ file, url, name }: Props) {
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
      {file.type.startsWith('image/') ? <Picture file={file} url={url} /> : <TypeMark type={file.type} />}
    </a>
  );
}

/** A small picture if the service makes one, otherwise the file itself; its type if the browser cannot show it. */
function Picture({ file, url }: Omit<Props, 'name'>) {
  const [failures, setFailures] = useState(0);
  const source = [gatehouse.files.url(file.id, { variant: 'thumb' }), url][failures];
  if (source === undefined) return <TypeMark type={file.type} />;
  return <img key={source} src={source} alt="" loading="lazy" onError={() => setFailures((count) => count + 1)} />;
}
