// One upload: progress bar, speed and time left, and buttons to cancel, retry or dismiss it.
import { fill } from '../parts/facts.ts';
import { Button } from '../parts/form-parts.tsx';
import { formatBytes, formatDuration } from '../parts/format.ts';
import { texts } from './account-texts.ts';
import type { Upload } from './use-uploads.ts';

type Props = {
  readonly upload: Upload;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onDismiss: () => void;
};

export function UploadRow({ upload, onCancel, onRetry, onDismiss }: Props) {
  const { file, state, sentBytes, message } = upload;
  const isActive = state === 'waiting' || state === 'sending' || state === 'checking';
  const isBad = state === 'failed' || state === 'refused';
  return (
    <li class={isBad ? 'upload bad' : 'upload'}>
      <div class="upload-text">
        <p class="upload-name">{file.name}</p>
        <p class="quiet-text" role={isBad ? 'alert' : undefined}>
          {message ?? describe(upload)}
        </p>
        {isActive && <progress aria-label={file.name} max={Math.max(file.size, 1)} value={sentBytes} />}
      </div>
      <div class="row">
        {isActive && <Button onClick={onCancel}>{texts.cancel}</Button>}
        {(state === 'failed' || state === 'cancelled') && <Button onClick={onRetry}>{texts.retry}</Button>}
        {!isActive && (
          <Button kind="quiet" onClick={onDismiss}>
            {texts.dismiss}
          </Button>
        )}
      </div>
    </li>
  );
}

function describe({ state, file, sentBytes, bytesPerSecond }: Upload): string {
  if (state === 'waiting') return texts.waiting;
  if (state === 'checking') return texts.checking;
  if (state === 'cancelled') return texts.cancelled;
  const values = { sent: formatBytes(sentBytes), total: formatBytes(file.size) };
  if (bytesPerSecond === 0) return fill(texts.sending, values);
  const speed = formatBytes(bytesPerSecond);
  const left = formatDuration((file.size - sentBytes) / bytesPerSecond);
  return fill(texts.sendingWithSpeed, { ...values, speed, left });
}
