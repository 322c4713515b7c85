// The fields for a phone number in any common format: the country, and the number as the user types it.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Field } from './form-parts.tsx';
import { gatehouse } from './gatehouse.ts';
import { chevronIcon, Icon } from './icon.tsx';
import { facts } from './page-data.ts';
import './phone-field.css';
import { countryOf, guessCountry, listCountries, toInternational } from './phone-input.ts';

/** What the user typed, and the number that it means. */
type TypedPhone = { readonly typed: string; readonly country: string };

export function startTyping(typed: string): TypedPhone {
  return { typed, country: countryOf(typed, undefined) ?? guessCountry(navigator.languages) };
}

export function readPhone({ typed, country }: TypedPhone): string {
  return toInternational(typed, country);
}

type Props = {
  readonly value: TypedPhone;
  readonly texts: { readonly country: string };
  readonly label: string;
  readonly hint?: string;
  readonly isInvalid: boolean;
  readonly onInput: (value: TypedPhone) => void;
};

/** Takes the focus when it appears. */
export function PhoneField({ value, texts, label, hint, isInvalid, onInput }: Props) {
  const countries = useMemo(() => listCountries(facts.language), []);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const type = (typed: string) => {
    onInput({ typed, country: countryOf(typed, value.country) ?? value.country });
    gatehouse.prepareCaptcha();
  };
  const { callingCode } = countries.find(({ code }) => code === value.country) ?? {};
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {({ id, describedBy }) => (
        <div class={isInvalid ? 'phone-box invalid' : 'phone-box'}>
          {/* A number that names its calling code itself needs the room. */}
          <div class="phone-country">
            <span aria-hidden="true">
              {value.country}
              {countryOf(value.typed, value.country) === undefined && ` +${callingCode}`}
            </span>
            <Icon of={chevronIcon} />
            <select
              aria-label={texts.country}
              autocomplete="country"
              value={value.country}
              onChange={({ currentTarget }) => onInput({ ...value, country: currentTarget.value })}
            >
              {countries.map(({ code, callingCode: prefix, name }) => (
                <option key={code} value={code}>
                  {name} (+{prefix})
                </option>
              ))}
            </select>
          </div>
          <input
            id={id}
            ref={input}
            name="phone"
            type="tel"
            inputMode="tel"
            autocomplete="tel"
            required
            value={value.typed}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            onFocus={() => gatehouse.prepareCaptcha()}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}
