// The way by e-mail: the address, and the message that a link is on its way, which is the same whether or not there is an account.
import { fill } from './element-facts.ts';
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
import { make } from './make.ts';
import { firstResendAt, makeResendButton } from './resend-button.ts';
import type { Scene, Step, View } from './scene.ts';

export function showEmailStep(scene: Scene): View {
  const { client, facts, methods, typed } = scene;
  const { texts, resendAfterSeconds } = facts;
  const bad = makeNotice('bad');
  const submit = makeButton('primary', texts.sendLink);
  const input = make('input', {
    id: 'email',
    part: 'input',
    name: 'email',
    type: 'email',
    inputmode: 'email',
    autocomplete: 'email',
    required: true,
    value: typed.email,
  });
  input.addEventListener('focus', () => client.prepareCaptcha());
  input.addEventListener('input', () => {
    typed.email = input.value;
  });
  const explain = ({ code }: { code: string }) => {
    setInvalid(input, code === 'EMAIL_INVALID');
    return undefined;
  };
  const run = createTask({ scene, notice: bad, button: submit, explain });
  const send = () =>
    run(async () => {
      const email = input.value.trim();
      await client.email.sendLink(email);
      scene.go({ name: 'mailed', email, resendAt: firstResendAt(resendAfterSeconds.mail) });
    });
  const node = makeForm(
    () => void send(),
    makeTitle(texts.emailTitle),
    makeLead(texts.emailLead),
    makeField(texts.email, 'email', input),
    bad.node,
    submit,
    methods.includes('phone') ? makeButton('quiet', texts.usePhone, () => scene.go({ name: 'phone' })) : undefined,
  );
  return { node, focus: input };
}

export function showMailedStep(scene: Scene, { email, resendAt }: Extract<Step, { name: 'mailed' }>): View {
  const { client, facts } = scene;
  const { texts, resendAfterSeconds } = facts;
  const [bad, good] = [makeNotice('bad'), makeNotice('good')];
  const title = makeTitle(texts.mailedTitle);
  const resend = makeResendButton({
    scene,
    afterSeconds: resendAfterSeconds.mail,
    resendAt,
    bad,
    good,
    send: () => client.email.sendLink(email),
  });
  noticeSignIn(scene);
  const inbox = { href: `${scene.base}/inbox`, target: '_blank', rel: 'noreferrer', class: 'chip', part: 'inbox' };
  const node = make(
    'div',
    { class: 'step' },
    title,
    makeLead(fill(texts.mailedLead, 'recipient', email)),
    facts.hasInbox && make('a', inbox, texts.openInbox),
    bad.node,
    good.node,
    resend.node,
    makeButton('quiet', texts.otherEmail, () => scene.go({ name: 'email' })),
  );
  return { node, focus: title };
}

/**
 * The link opens a page of the service. On the service's own origin, its tab tells this one. On another origin of the same site the
 * cookies are there when the user comes back.
 */
function noticeSignIn({ client, base, go, left }: Scene): void {
  if (base === '') return;
  const look = async () => {
    if (document.visibilityState !== 'visible') return;
    await client.refresh().catch(() => undefined);
    if (!left.aborted && (await client.isSignedIn())) go({ name: 'done' });
  };
  document.addEventListener('visibilitychange', () => void look(), { signal: left });
}
