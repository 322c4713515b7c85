// Step one: the phone number, in any common format.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { facts } from '../parts/facts.ts';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { findNewest } from '../parts/inbox-messages.ts';
import { firstResendAt } from '../parts/use-resend.ts';
import { useTask } from '../parts/use-task.ts';
import { countryOf, guessCountry, listCountries, toInternational } from './phone-input.ts';
import { texts } from './sign-in-texts.ts';
import type { CodeWanted } from './use-step.ts';

type Props = {
  readonly typed: string;
  readonly onType: (phone: string) => void;
  readonly onSent: (wanted: CodeWanted) => void;
  readonly onEmail: () => void;
};

export function PhoneStep({ typed, onType, onSent, onEmail }: Props) {
  const [country, setCountry] = useState(() => countryOf(typed, undefined) ?? guessCountry(navigator.languages));
  const countries = useMemo(() => listCountries(facts.language), []);
  const task = useTask(texts.offline);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const send = (event: Event) => {
    event.preventDefault();
    const phone = toInternational(typed, country);
    task.run(async () => {
      const newestBefore = await findNewest(phone);
      try {
        await gatehouse.phone.sendCode(phone);
      } catch (failure) {
        if (!(failure instanceof GatehouseError) || failure.code !== 'OTP_RESEND_TOO_SOON') throw failure;
        // The previous code is still valid, so a user who lost the page can enter it.
        onSent({ phone, newestBefore: undefined, resendAt: Date.now() + (failure.retryAfterSeconds ?? 0) * 1000 });
        return;
      }
      onSent({ phone, newestBefore, resendAt: firstResendAt(facts.resendAfterSeconds.sms) });
    });
  };
  const type = (text: string) => {
    onType(text);
    setCountry(countryOf(text, country) ?? country);
    gatehouse.prepareCaptcha();
  };
  return (
    <form onSubmit={send} noValidate>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.phoneLead}</p>
      <div class="phone">
        <Field label={texts.country}>
          {({ id }) => (
            <select
              id={id}
              autocomplete="country"
              value={country}
              onChange={({ currentTarget }) => setCountry(currentTarget.value)}
            >
              {countries.map(({ code, callingCode, name }) => (
                <option key={code} value={code}>
                  {name} (+{callingCode})
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={texts.phone}>
          {({ id }) => (
            <input
              id={id}
              ref={input}
              name="phone"
              type="tel"
              inputMode="tel"
              autocomplete="tel"
              required
              value={typed}
              aria-invalid={task.error !== undefined}
              onFocus={() => gatehouse.prepareCaptcha()}
              onInput={({ currentTarget }) => type(currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <Notice kind="bad">{task.error?.code === 'PHONE_INVALID' ? texts.phoneInvalid : task.message}</Notice>
      <Button kind="primary" type="submit" isBusy={task.isBusy}>
        {texts.sendCode}
      </Button>
      <Button kind="quiet" onClick={onEmail}>
        {texts.useEmail}
      </Button>
    </form>
  );
}
