// Adds or changes the e-mail address of the account: asks for the e-mail address, then for the code sent to it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { CodeField, codeLength } from '../parts/code-field.tsx';
import { facts, fill } from '../parts/facts.ts';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { formatDuration } from '../parts/format.ts';
import { gatehouse } from '../parts/gatehouse.ts';
import { InboxChip } from '../parts/inbox-chip.tsx';
import { findNewest } from '../parts/inbox-messages.ts';
import { firstResendAt, useResend } from '../parts/use-resend.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';

type Props = { readonly email: string | null; readonly onBound: () => void };

type Step =
  | { readonly name: 'closed' | 'address' | 'left' | 'done' }
  | { readonly name: 'code'; readonly address: string; readonly newestBefore: string | undefined };

export function EmailCard({ email, onBound }: Props) {
  const [step, setStep] = useState<Step>({ name: 'closed' });
  const label = email === null ? texts.addEmail : texts.changeEmail;
  const opener = useRef<HTMLButtonElement>(null);
  // The form that had the focus was removed, so the focus returns to the button.
  useEffect(() => {
    if (step.name === 'left' || step.name === 'done') opener.current?.focus();
  }, [step.name]);
  const close = () => setStep({ name: 'left' });
  const done = () => {
    setStep({ name: 'done' });
    onBound();
  };
  if (step.name === 'code') return <CodeForm {...step} onBound={done} onCancel={close} />;
  if (step.name === 'address')
    return (
      <AddressForm
        label={label}
        onSent={(address, newestBefore) => setStep({ name: 'code', address, newestBefore })}
        onCancel={close}
      />
    );
  return (
    <div class="email">
      <Button ref={opener} onClick={() => setStep({ name: 'address' })}>
        {label}
      </Button>
      <Notice kind="good">{step.name === 'done' ? texts.emailBound : undefined}</Notice>
    </div>
  );
}

type AddressProps = {
  readonly label: string;
  readonly onSent: (address: string, newestBefore: string | undefined) => void;
  readonly onCancel: () => void;
};

function AddressForm({ label, onSent, onCancel }: AddressProps) {
  const [address, setAddress] = useState('');
  const task = useTask(texts.offline);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const send = (event: Event) => {
    event.preventDefault();
    task.run(async () => {
      const newestBefore = await findNewest(address.trim());
      await gatehouse.email.sendCode(address.trim());
      onSent(address.trim(), newestBefore);
    });
  };
  return (
    <form class="email" onSubmit={send} noValidate aria-label={label}>
      <Field label={texts.newEmail} hint={texts.newEmailHint}>
        {({ id, describedBy }) => (
          <input
            id={id}
            name="email"
            type="email"
            autocomplete="email"
            ref={input}
            value={address}
            aria-describedby={describedBy}
            aria-invalid={task.error !== undefined}
            onFocus={() => gatehouse.prepareCaptcha()}
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        )}
      </Field>
      <Notice kind="bad">{task.message}</Notice>
      <div class="row">
        <Button kind="primary" type="submit" isBusy={task.isBusy}>
          {texts.sendCode}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}

type CodeProps = {
  readonly address: string;
  readonly newestBefore: string | undefined;
  readonly onBound: () => void;
  readonly onCancel: () => void;
};

function CodeForm({ address, newestBefore, onBound, onCancel }: CodeProps) {
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const task = useTask(texts.offline);
  const resend = useResend(
    facts.resendAfterSeconds.mail,
    firstResendAt(facts.resendAfterSeconds.mail),
    () => gatehouse.email.sendCode(address),
    texts.offline,
  );
  useEffect(() => input.current?.focus(), []);
  const enter = (digits: string) => {
    setCode(digits);
    if (digits.length < codeLength) return;
    resend.clear();
    task.run(async () => {
      try {
        await gatehouse.email.bind(address, digits);
        onBound();
      } catch (failure) {
        setCode('');
        input.current?.focus();
        throw failure;
      }
    });
  };
  const sendAgain = () => {
    task.clear();
    resend.send();
  };
  return (
    <form
      class="email"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        enter(code);
      }}
    >
      <Field label={texts.code} hint={fill(texts.sentTo, { recipient: address })}>
        {(ids) => (
          <CodeField {...ids} value={code} isInvalid={task.error !== undefined} inputRef={input} onInput={enter} />
        )}
      </Field>
      <InboxChip to={address} after={newestBefore} texts={texts} onFill={enter} />
      <Notice kind="bad">{task.message ?? resend.task.message}</Notice>
      <Notice kind="good">{resend.isSent ? texts.sentAgain : undefined}</Notice>
      <div class="row">
        <Button kind="primary" type="submit" isBusy={task.isBusy}>
          {texts.confirmEmail}
        </Button>
        <Button isBusy={resend.task.isBusy} disabled={resend.secondsLeft > 0} onClick={sendAgain}>
          {resend.secondsLeft > 0
            ? fill(texts.resendIn, { duration: formatDuration(resend.secondsLeft) })
            : texts.resend}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
