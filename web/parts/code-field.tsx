// One input for a six-digit code, drawn as six slots. Paste, autofill and screen readers see a normal text field.
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import './code-field.css';

export const codeLength = 6;

type Props = {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly value: string;
  readonly isInvalid: boolean;
  /** Takes no digits, and keeps the focus: a screen reader stays where the reason is said. */
  readonly isDisabled: boolean;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onInput: (code: string) => void;
};

export function CodeField({ id, describedBy, value, isInvalid, isDisabled, inputRef, onInput }: Props) {
  const [hasFocus, setHasFocus] = useState(false);
  const active = Math.min(value.length, codeLength - 1);
  return (
    <div class={`code-field ${isDisabled ? 'off' : isInvalid ? 'invalid' : ''}`}>
      <div class="slots" aria-hidden="true">
        {Array.from({ length: codeLength }, (_, index) => (
          <span key={index} class={hasFocus && index === active ? 'slot active' : 'slot'}>
            {value[index] ?? ''}
          </span>
        ))}
      </div>
      <input
        id={id}
        ref={inputRef}
        name="code"
        type="text"
        inputMode="numeric"
        autocomplete="one-time-code"
        pattern="\d*"
        spellcheck={false}
        required
        readOnly={isDisabled}
        aria-disabled={isDisabled}
        value={value}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        onInput={({ currentTarget }) => {
          const digits = readDigits(currentTarget.value);
          // Write the digits back, because Preact does not update the input if they did not change.
          currentTarget.value = digits;
          onInput(digits);
        }}
      />
    </div>
  );
}

/** Accepts digits of any script, and ignores the text around them in a pasted message. */
function readDigits(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  return plain.replaceAll(/\D/g, '').slice(0, codeLength);
}

/** Unicode decimal digits are in runs of ten that start with zero, so this counts back to the zero. */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return point < 128 ? Number(digit) : value % 10;
}
