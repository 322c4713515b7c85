// The queue as the user sees it: how far all is, why nothing moves, the uploads, and what can be done with many at once.
import { useRef, useState } from 'preact/hooks';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';
import type { Purpose } from './purpose-texts.ts';
import { isActive, isRunning, orderForShow, overlook, type UploadQueue } from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';
import type { Uploader } from './uploader.ts';

type Props = {
  readonly queue: UploadQueue;
  readonly uploader: Uploader;
  readonly purposes: readonly Purpose[];
};

/** A page of a thousand rows would be slow, and nobody reads it. */
const rowsAtOnce = 20;
/** Milliseconds. A shorter rest needs no explanation. */
const longRest = 6000;

export function UploadList({ queue, uploader, purposes }: Props) {
  const [most, setMost] = useState(rowsAtOnce);
  const list = useRef<HTMLUListElement>(null);
  const { total, stored, failed, finished, share } = overlook(queue);
  const rows = orderForShow(queue);
  const hidden = rows.length - most;
  const keepFocus = () => list.current?.focus();
  return (
    <>
      <Notice kind="plain">{explainStandstill(queue)}</Notice>
      {queue.uploads.length > 1 && (
        <div class="queue">
          <div class="queue-text">
            <p>{fill(texts.uploadsOf, { sent: stored, total })}</p>
            <progress aria-label={texts.uploads} max={1} value={share} />
          </div>
          {failed > 0 && <Button onClick={() => uploader.retryAll()}>{texts.retryAll}</Button>}
          {finished > 0 && (
            <Button
              kind="quiet"
              onClick={() => {
                uploader.dispatch({ kind: 'finished-removed' });
                keepFocus();
              }}
            >
              {texts.removeFinished}
            </Button>
          )}
        </div>
      )}
      {rows.length > 0 && (
        <ul ref={list} class="uploads" aria-label={texts.uploads} tabIndex={-1}>
          {rows.slice(0, most).map((upload) => (
            <UploadRow key={upload.key} upload={upload} purposes={purposes} uploader={uploader} onGone={keepFocus} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Button onClick={() => setMost(most + rowsAtOnce)}>
          {fill(texts.moreUploads, { count: Math.min(hidden, rowsAtOnce) })}
        </Button>
      )}
      <span class="visually-hidden" role="status">
        {queue.justStored > 0 ? texts.uploadsDone : ''}
      </span>
    </>
  );
}

function explainStandstill({ uploads, isOnline, lostAttempts, startsAt }: UploadQueue): string | undefined {
  if (!uploads.some(isActive)) return undefined;
  if (!isOnline) return texts.uploadsOffline;
  if (lostAttempts > 0) return texts.uploadsUnreachable;
  const isResting = startsAt > Date.now() + longRest && !uploads.some(isRunning);
  return isResting ? fill(texts.uploadsLater, { time: formatTime(new Date(startsAt).toISOString()) }) : undefined;
}
