// One upload: progress bar, speed and time left, its purpose, and what the user can do about it.
import { useRef } from 'preact/hooks';
import { resumableAbove } from '../../client/src/upload-options.ts';
import { Button } from '../parts/form-parts.tsx';
import { formatBytes, formatDuration } from '../parts/format.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';
import { explainContent } from './explain-fault.ts';
import { findFitting } from './guess-purpose.ts';
import { namePurpose, type Purpose } from './purpose-texts.ts';
import { allowAgain, chooseAgain } from './restore-uploads.ts';
import { isActive, type Upload } from './upload-queue.ts';
import type { Uploader } from './uploader.ts';

type Props = {
  readonly upload: Upload;
  readonly purposes: readonly Purpose[];
  readonly uploader: Uploader;
  /** The row goes away: the focus needs another place. */
  readonly onGone: () => void;
};

export function UploadRow(props: Props) {
  const { upload, purposes } = props;
  const { name, size, state, sentBytes, message } = upload;
  const content = explainContent(upload, purposes);
  const isBad = state === 'failed' || state === 'refused';
  return (
    <li class={isBad ? 'upload bad' : 'upload'}>
      <div class="upload-text">
        <p class="upload-name" dir="auto" title={name}>
          {name}
        </p>
        <p class="quiet-text" role={isBad ? 'alert' : undefined}>
          {content ?? message ?? describe(upload)}
        </p>
        {isActive(upload) && <progress aria-label={name} max={Math.max(size, 1)} value={sentBytes} />}
      </div>
      {content === undefined && <PurposeChoice {...props} />}
      <div class="row">
        <Actions {...props} />
      </div>
    </li>
  );
}

/** The names of the buttons say which file they are for. */
function Actions({ upload, uploader, onGone }: Props) {
  const { key, name, size, state, needsPermission } = upload;
  const input = useRef<HTMLInputElement>(null);
  const button = (label: string, onClick: () => void, kind: 'plain' | 'quiet' = 'plain') => (
    <Button kind={kind} aria-label={`${label}: ${name}`} onClick={onClick}>
      {label}
    </Button>
  );
  const dismiss = (label: string) =>
    button(
      label,
      () => {
        uploader.dismiss(key);
        onGone();
      },
      'quiet',
    );
  const cancel = button(texts.cancel, () => uploader.cancel(key));
  switch (state) {
    case 'waiting':
    case 'checking':
      return cancel;
    case 'sending':
      return (
        <>
          {size > resumableAbove && button(texts.pause, () => uploader.pause(key))}
          {cancel}
        </>
      );
    case 'paused':
      return (
        <>
          {button(texts.goOn, () => uploader.resume(key))}
          {cancel}
        </>
      );
    case 'missing':
      return (
        <>
          {needsPermission && button(texts.goOn, () => void allowAgain(uploader, key))}
          {button(texts.chooseFile, () => input.current?.click())}
          <input
            ref={input}
            hidden
            type="file"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file !== undefined) void chooseAgain(uploader, upload, file);
              currentTarget.value = '';
            }}
          />
          {button(texts.cancel, () => {
            uploader.cancel(key);
            uploader.dismiss(key);
            onGone();
          })}
        </>
      );
    case 'failed':
    case 'cancelled':
      return (
        <>
          {button(texts.retry, () => uploader.retry(key))}
          {dismiss(texts.dismiss)}
        </>
      );
    case 'refused':
      return dismiss(texts.dismiss);
    case 'stored':
      return null;
  }
}

/** Only while nothing is sent, and only if there is a choice. */
function PurposeChoice({ upload, purposes, uploader }: Props) {
  const { key, name, purpose, state } = upload;
  if (!['waiting', 'refused', 'failed', 'cancelled'].includes(state)) return null;
  const fitting = findFitting(upload, purposes);
  if (!fitting.some((each) => each.name !== purpose)) return null;
  const isFitting = fitting.some((each) => each.name === purpose);
  return (
    <select
      class="small-select"
      aria-label={fill(texts.uploadAs, { name })}
      value={isFitting ? purpose : ''}
      onChange={({ currentTarget }) => uploader.move(key, currentTarget.value)}
    >
      {!isFitting && <option value="">{purpose === '' ? '–' : namePurpose(purpose)}</option>}
      {fitting.map((each) => (
        <option key={each.name} value={each.name}>
          {namePurpose(each.name)}
        </option>
      ))}
    </select>
  );
}

function describe({ state, size, sentBytes, bytesPerSecond, needsPermission }: Upload): string {
  const values = { sent: formatBytes(sentBytes), total: formatBytes(size) };
  switch (state) {
    case 'waiting':
      return texts.waiting;
    case 'checking':
      return texts.checking;
    case 'cancelled':
      return texts.cancelled;
    case 'stored':
      return texts.stored;
    case 'paused':
      return fill(texts.paused, values);
    case 'missing':
      return needsPermission ? texts.allowAgain : texts.chooseAgain;
    case 'sending':
    case 'failed':
    case 'refused': {
      if (bytesPerSecond <= 0) return fill(texts.sending, values);
      const speed = formatBytes(bytesPerSecond);
      const left = formatDuration((size - sentBytes) / bytesPerSecond);
      return fill(texts.sendingWithSpeed, { ...values, speed, left });
    }
  }
}
