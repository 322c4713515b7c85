// The pieces that forms are made of: a labelled field, a button that shows it is at work, a message that is read out.
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useCaptchaProgress } from './captcha-progress.ts';
import './form-parts.css';

type FieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly children: (ids: { id: string; describedBy: string | undefined }) => ComponentChildren;
};

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: hint === undefined ? undefined : hintId })}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

type ButtonProps = JSX.IntrinsicElements['button'] & {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly isBusy?: boolean;
};

/** Stays focusable while at work, so that the keyboard does not lose its place. */
export function Button({ kind = 'plain', isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind}`}
      aria-busy={isBusy}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy && <Busy />}
      <span>{children}</span>
    </button>
  );
}

/** A ring that turns; while a captcha is solved it tells how far that has come. */
function Busy() {
  const share = useCaptchaProgress();
  return share === undefined || share >= 1 ? (
    <span class="spinner" aria-hidden="true" />
  ) : (
    <progress class="solving" aria-hidden="true" max={1} value={share} />
  );
}

type NoticeProps = {
  readonly kind: 'bad' | 'good' | 'plain';
  readonly children: ComponentChildren;
};

/** Always on the page, so that a screen reader notices when something is said in it. */
export function Notice({ kind, children }: NoticeProps) {
  const isEmpty = children === undefined || children === '' || children === null;
  return (
    <div class={isEmpty ? 'notice empty' : `notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
