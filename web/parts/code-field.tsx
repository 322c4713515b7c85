// One real input for a six-digit code, drawn as six slots: paste, autofill and screen readers see a plain text field.
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import './code-field.css';

export const codeLength = 6;

type Props = {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly value: string;
  readonly isInvalid: boolean;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onInput: (code: string) => void;
};

export function CodeField({ id, describedBy, value, isInvalid, inputRef, onInput }: Props) {
  const [hasFocus, setHasFocus] = useState(false);
  const active = Math.min(value.length, codeLength - 1);
  return (
    <div class={isInvalid ? 'code-field invalid' : 'code-field'}>
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
        value={value}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        onInput={({ currentTarget }) => {
          const digits = readDigits(currentTarget.value);
          // What the person sees is what is kept, also when nothing of it changed.
          currentTarget.value = digits;
          onInput(digits);
        }}
      />
    </div>
  );
}

/** Any script's digits, and whatever stands around them in a pasted message. */
function readDigits(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  return plain.replaceAll(/\D/g, '').slice(0, codeLength);
}

/** Decimal digits stand in runs of ten that begin at a zero: count back to it. */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return point < 128 ? Number(digit) : value % 10;
}
