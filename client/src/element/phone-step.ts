// Step one: the phone number, in any common format, with the country beside it.
import {
  createTask,
  makeButton,
  makeField,
  makeForm,
  makeLead,
  makeNotice,
  makeTitle,
  setInvalid,
} from './form-parts.ts';
import { drawIcon, icons, make } from './make.ts';
import { countryOf, guessCountry, readCountries, toInternational } from './phone-number.ts';
import { firstResendAt } from './resend-button.ts';
import { readFailure, type Scene, type View } from './scene.ts';

export function showPhoneStep(scene: Scene): View {
  const { client, facts, methods, typed } = scene;
  const { texts, language, resendAfterSeconds } = facts;
  const countries = readCountries(facts.countries, language);
  const bad = makeNotice('bad');
  const submit = makeButton('primary', texts.sendCode);
  const input = make('input', {
    id: 'phone',
    part: 'input',
    name: 'phone',
    type: 'tel',
    inputmode: 'tel',
    autocomplete: 'tel',
    required: true,
    value: typed.phone,
  });
  const shown = make('span', { 'aria-hidden': 'true' });
  const options = countries.map(({ code, callingCode, name }) =>
    make('option', { value: code }, `${name} (+${callingCode})`),
  );
  const select = make('select', { 'aria-label': texts.country, autocomplete: 'country' }, ...options);
  const choose = (country: string) => {
    select.value = country;
    const { callingCode = '' } = countries.find(({ code }) => code === country) ?? {};
    shown.textContent = `${country} +${callingCode}`;
  };
  choose(countryOf(countries, typed.phone, guessCountry(countries, navigator.languages, scene.country)));
  select.addEventListener('change', () => choose(select.value));
  input.addEventListener('focus', () => client.prepareCaptcha());
  input.addEventListener('input', () => {
    typed.phone = input.value;
    choose(countryOf(countries, input.value, select.value));
    client.prepareCaptcha();
  });

  const explain = ({ code }: { code: string }) => (code === 'PHONE_INVALID' ? texts.phoneInvalid : undefined);
  const run = createTask({ scene, notice: bad, button: submit, explain });
  const send = () =>
    run(async () => {
      const phone = toInternational(countries, input.value, select.value);
      setInvalid(input, false);
      let resendAt: number;
      try {
        await client.phone.sendCode(phone);
        resendAt = firstResendAt(resendAfterSeconds.sms);
      } catch (error) {
        const { code, retryAfterSeconds = 0 } = readFailure(error);
        // A code that was sent a moment ago is still valid, so a user who lost the page can enter it.
        if (code !== 'OTP_RESEND_TOO_SOON') {
          setInvalid(input, code.startsWith('PHONE_'));
          throw error;
        }
        resendAt = Date.now() + retryAfterSeconds * 1000;
      }
      scene.go({ name: 'code', phone, resendAt });
    });
  const country = make('div', { part: 'country', class: 'country' }, shown, drawIcon(icons.chevron), select);
  const box = make('div', { class: 'phone-box', part: 'phone' }, country, input);
  const node = makeForm(
    () => void send(),
    make('slot', { name: 'title' }, makeTitle(texts.title)),
    makeLead(texts.phoneLead),
    makeField(texts.phone, 'phone', box),
    bad.node,
    submit,
    methods.includes('email') ? makeButton('quiet', texts.useEmail, () => scene.go({ name: 'email' })) : undefined,
  );
  return { node, focus: input };
}
