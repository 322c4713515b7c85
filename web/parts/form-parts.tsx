// Parts of forms: a field with label and hint, a button with a busy state, and a notice for screen readers.
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Texts } from '../../locales/languages.ts';
import { useCaptchaProgress } from './captcha-progress.ts';
import './form-parts.css';
import { alertIcon, checkIcon, Icon, type IconPath } from './icon.tsx';
import { pageTexts } from './page-data.ts';
import { useLate } from './use-late.ts';

const texts = pageTexts<Texts['pages']['common']>();

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
  readonly icon?: IconPath;
  readonly isBusy?: boolean;
};

/**
 * Stays focusable while busy, so that keyboard users keep their position. The spinner takes the place of the label, so that the width stays.
 * Words below it say that it takes long.
 */
export function Button({ kind = 'plain', icon, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  const isLate = useLate(isBusy);
  return (
    <>
      <button
        type="button"
        {...rest}
        class={`button ${kind}`}
        aria-busy={isBusy}
        onClick={isBusy ? (event) => event.preventDefault() : onClick}
      >
        {icon && <Icon of={icon} />}
        <span>{children}</span>
        {isBusy && <Busy />}
      </button>
      {isLate && <Late />}
    </>
  );
}

/** The progress of a captcha says enough. */
function Late() {
  return isSolving(useCaptchaProgress()) ? null : (
    <p class="hint" role="status">
      {texts.slow}
    </p>
  );
}

function isSolving(progress: number | undefined): progress is number {
  return progress !== undefined && progress < 1;
}

/** A spinner. While a captcha is being solved, it shows the progress. */
function Busy() {
  const progress = useCaptchaProgress();
  return isSolving(progress) ? (
    <progress class="solving" aria-hidden="true" max={1} value={progress} />
  ) : (
    <i class="spinner" aria-hidden="true" />
  );
}

type NoticeProps = {
  readonly kind: 'bad' | 'good' | 'plain';
  readonly children: ComponentChildren;
};

/** Always on the page, because screen readers announce only changes of existing elements. */
export function Notice({ kind, children }: NoticeProps) {
  const isEmpty = children === undefined || children === '' || children === null;
  return (
    <div class={isEmpty ? 'notice empty' : `notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {!isEmpty && (
        <>
          {kind !== 'plain' && <Icon of={kind === 'bad' ? alertIcon : checkIcon} />}
          <span>{children}</span>
        </>
      )}
    </div>
  );
}
