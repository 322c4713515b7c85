// The field for the reason that every act of staff requires.
import { Field } from '../parts/form-parts.tsx';
import { texts } from './admin-texts.ts';

type Props = { readonly value: string; readonly onInput: (text: string) => void };

export function ReasonField({ value, onInput }: Props) {
  return (
    <Field label={texts.reason} hint={texts.reasonHint}>
      {({ id, describedBy }) => (
        <input
          id={id}
          aria-describedby={describedBy}
          required
          maxLength={200}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  );
}
