// Shows what a link shares: name, size, type, a preview, the download and its end. A link that does not work gets a page that says so.
import { useState } from 'preact/hooks';
import type { Texts } from '../../locales/languages.ts';
import { brand } from '../parts/brand.ts';
import '../parts/form-parts.css';
import { formatBytes, formatDateTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { clockIcon, downloadIcon } from '../parts/icons.ts';
import { facts, fill, pageTexts, type SharedFile } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { nameType, TypeMark } from '../parts/type-mark.tsx';
import './shared-file-page.css';

type Pages = Texts['pages'];

const texts = pageTexts<Pages['common'] & Pages['shared-file']>();

export function SharedFilePage() {
  const file = facts.sharedFile ?? null;
  const title = file === null ? texts.gone : (file.name ?? texts.unnamed);
  document.title = `${title} · ${brand.name}`;
  return (
    <PageFrame texts={texts} current="" width="narrow" links={[]}>
      {file === null ? <Gone /> : <Shared file={file} title={title} />}
    </PageFrame>
  );
}

function Gone() {
  return (
    <div class="card step">
      <h1>{texts.gone}</h1>
      <p class="lead">{texts.goneLead}</p>
      <p>{texts.goneCure}</p>
    </div>
  );
}

function Shared({ file, title }: { readonly file: SharedFile; readonly title: string }) {
  const { size, type, expiresAt, downloadUrl } = file;
  const [usesLeft, setUsesLeft] = useState(file.usesLeft);
  const isUsedUp = usesLeft === 0;
  /** Each click uses one download up, at the service too. */
  const count = (event: MouseEvent) => {
    if (isUsedUp) event.preventDefault();
    else if (usesLeft !== null) setUsesLeft(usesLeft - 1);
  };
  return (
    <div class="card step shared">
      <Preview file={file} title={title} />
      <div>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p class="lead">
          <bdi>{nameType(type)}</bdi> · <bdi>{formatBytes(size)}</bdi>
        </p>
      </div>
      {/* It stays where it is, so that keyboard users keep their position. */}
      <a
        class="button primary"
        href={downloadUrl}
        download={file.name ?? ''}
        aria-disabled={isUsedUp || undefined}
        onClick={count}
      >
        <Icon of={downloadIcon} />
        <span>{texts.download}</span>
      </a>
      <p class="quiet-text link-end">
        <Icon of={clockIcon} />
        <span role="status">
          {isUsedUp ? texts.usedUp : fill(texts.until, { time: formatDateTime(expiresAt) })}
          {!isUsedUp && usesLeft !== null && ` ${fill(texts.downloadsLeft, { count: usesLeft })}`}
        </span>
      </p>
    </div>
  );
}

/** The type of the file if the browser cannot show it. */
function Preview({ file: { type, previewUrl }, title }: { readonly file: SharedFile; readonly title: string }) {
  const [isBroken, setBroken] = useState(false);
  const fail = () => setBroken(true);
  if (previewUrl !== null && !isBroken) {
    if (type.startsWith('image/')) return <img class="shown" src={previewUrl} alt={title} onError={fail} />;
    if (type.startsWith('video/'))
      // biome-ignore lint/a11y/useMediaCaption: the shared file has no captions
      return <video class="shown" src={previewUrl} controls preload="metadata" playsInline aria-label={title} />;
    if (type.startsWith('audio/'))
      // biome-ignore lint/a11y/useMediaCaption: the shared file has no captions
      return <audio class="shown" src={previewUrl} controls preload="metadata" aria-label={title} />;
  }
  return (
    <p class="no-preview">
      <TypeMark type={type} />
    </p>
  );
}
