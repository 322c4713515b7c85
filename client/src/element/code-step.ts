// Step two: the code. It is submitted as soon as it has six digits.
import {
  createTask,
  makeButton,
  makeField,
  makeForm,
  makeLead,
  makeLink,
  makeNotice,
  makeTitle,
  setInvalid,
} from './form-parts.ts';
import { make } from './make.ts';
import { readCode } from './phone-number.ts';
import { makeResendButton } from './resend-button.ts';
import { readFailure, type Scene, type Step, type View } from './scene.ts';

const codeLength = 6;
/** The code was judged. After every other failure it may be right, so the user keeps it and sends it again. */
const isRefused = (code: string) => code === 'OTP_INVALID' || isUsedUp(code);
/** The code that was sent cannot be used any more. */
const isUsedUp = (code: string) => code === 'OTP_EXPIRED' || code === 'OTP_ATTEMPTS_EXCEEDED';

export function showCodeStep(scene: Scene, { phone, resendAt }: Extract<Step, { name: 'code' }>): View {
  const { client, facts } = scene;
  const { texts, resendAfterSeconds } = facts;
  const [bad, good] = [makeNotice('bad'), makeNotice('good')];
  const submit = makeButton('primary', texts.signIn);
  const { node: codeField, input, write } = makeCodeField((code) => void enter(code));
  const resend = makeResendButton({
    scene,
    afterSeconds: resendAfterSeconds.sms,
    resendAt,
    bad,
    good,
    send: async () => {
      await client.phone.sendCode(phone);
      write('');
      setInvalid(input, false);
      submit.hidden = false;
      input.focus();
    },
  });
  const run = createTask({ scene, notice: bad, button: submit });
  const enter = (code: string) =>
    run(async () => {
      good.show('');
      if (code.length < codeLength) {
        setInvalid(input, true);
        bad.show(texts.codeShort.replace('{count}', String(codeLength)));
        return input.focus();
      }
      setInvalid(input, false);
      try {
        // The event `signed-in` of the client leads to the last step.
        await client.phone.signIn(phone, code);
      } catch (error) {
        const { code: reason, proofTicket } = readFailure(error);
        if (proofTicket !== undefined) return scene.go({ name: 'recycled', phone, ticket: proofTicket });
        if (isRefused(reason)) write('');
        setInvalid(input, isRefused(reason));
        resend.emphasise(isUsedUp(reason));
        submit.hidden = isUsedUp(reason);
        input.focus();
        // What the user types next replaces a code that was kept.
        input.select();
        throw error;
      }
    });
  readSms(scene.left, (code) => {
    write(code);
    void enter(code);
  });
  const [before = '', after = ''] = texts.sentTo.split('{recipient}');
  // A number runs from left to right in every language.
  const number = make('bdi', { dir: 'ltr' }, phone);
  const inbox = { href: `${scene.base}/inbox`, target: '_blank', rel: 'noreferrer', class: 'chip', part: 'inbox' };
  const node = makeForm(
    () => void enter(readCode(input.value)),
    makeTitle(texts.codeTitle),
    makeLead(
      before,
      number,
      after,
      ' ',
      makeLink(texts.change, () => scene.go({ name: 'phone' })),
    ),
    makeField(texts.code, 'code', codeField),
    facts.hasInbox ? make('a', inbox, texts.openInbox) : undefined,
    bad.node,
    good.node,
    submit,
    resend.node,
  );
  return { node, focus: input };
}

/** One input, drawn as six digits. Paste, autofill and screen readers see a normal text field. */
function makeCodeField(onComplete: (code: string) => void) {
  const digits = Array.from({ length: codeLength }, () => make('span', { class: 'digit', part: 'slot' }));
  const input = make('input', {
    id: 'code',
    part: 'code',
    name: 'code',
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    spellcheck: 'false',
    required: true,
  });
  const draw = () => {
    const active = input.matches(':focus') ? Math.min(input.value.length, codeLength - 1) : -1;
    for (const [index, digit] of digits.entries()) {
      digit.textContent = input.value[index] ?? '';
      digit.classList.toggle('active', index === active);
    }
  };
  const write = (code: string) => {
    input.value = code;
    draw();
  };
  input.addEventListener('input', () => {
    write(readCode(input.value));
    if (input.value.length === codeLength) onComplete(input.value);
  });
  for (const name of ['focus', 'blur'] as const) input.addEventListener(name, draw);
  const row = make('div', { class: 'digits', 'aria-hidden': 'true' }, ...digits);
  return { node: make('div', { class: 'code-field' }, row, input), input, write };
}

/** WebOTP: supported browsers ask the user once, and read the code from the SMS. */
function readSms(left: AbortSignal, onCode: (code: string) => void): void {
  if (!('OTPCredential' in window)) return;
  const options = { otp: { transport: ['sms'] }, signal: left } as CredentialRequestOptions;
  navigator.credentials.get(options).then(
    (credential) => {
      if (credential !== null && 'code' in credential) onCode(readCode(String(credential.code)));
    },
    // Declined, timed out or aborted: the user types the code.
    () => undefined,
  );
}
