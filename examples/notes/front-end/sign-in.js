// Signs the user in: the phone number first, then the code that Gatehouse sends.
import { find, onClick, onSubmit } from './page.js';

/** @import { Gatehouse } from '@gatehouse/client' */

const section = find('sign-in', HTMLElement);
const phoneForm = find('phone-form', HTMLFormElement);
const codeForm = find('code-form', HTMLFormElement);
const phone = find('phone', HTMLInputElement);
const code = find('code', HTMLInputElement);

/** @param {Gatehouse} gatehouse */
export function prepareSignIn(gatehouse) {
  phone.addEventListener('input', () => gatehouse.prepareCaptcha());
  onSubmit(phoneForm, async () => {
    await gatehouse.phone.sendCode(phone.value);
    ask('code');
  });
  // After this the client says `signed-in`, in every tab.
  onSubmit(codeForm, () => gatehouse.phone.signIn(phone.value, code.value));
  onClick(find('other-number', HTMLButtonElement), async () => ask('phone'));
}

export function showSignIn() {
  section.hidden = false;
  ask('phone');
}

export function hideSignIn() {
  section.hidden = true;
}

/** @param {'phone' | 'code'} step */
function ask(step) {
  phoneForm.hidden = step === 'code';
  codeForm.hidden = step === 'phone';
  code.value = '';
  (step === 'code' ? code : phone).focus();
}
