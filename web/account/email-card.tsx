// Adds, changes or removes the e-mail address of the account: asks for the e-mail address, then for the code sent to it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { CodeForm } from '../parts/code-form.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { findNewest } from '../parts/inbox-messages.ts';
import { facts, fill } from '../parts/page-data.ts';
import { sendUnlessSent } from '../parts/use-resend.ts';
import { isTypedWrong, useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';
import type { Prove } from './use-proof.tsx';

type Props = {
  readonly email: string | null;
  /** False if it is the only way in. */
  readonly isRemovable: boolean;
  readonly prove: Prove;
  readonly onChanged: () => void;
};

type Step =
  | { readonly name: 'closed' | 'address' | 'left' | 'done' | 'removed' }
  | ({ readonly name: 'code' } & SentCode);

type SentCode = {
  readonly address: string;
  readonly newestBefore: string | undefined;
  readonly resendAt: number;
};

export function EmailCard({ email, isRemovable, prove, onChanged }: Props) {
  const [step, setStep] = useState<Step>({ name: 'closed' });
  const [isAsking, setAsking] = useState(false);
  const removal = useTask(texts.offline);
  const label = email === null ? texts.addEmail : texts.changeEmail;
  const opener = useRef<HTMLButtonElement>(null);
  // The form that had the focus was removed, so the focus returns to the button.
  useEffect(() => {
    if (step.name === 'left' || step.name === 'done' || step.name === 'removed') opener.current?.focus();
  }, [step.name]);
  const close = () => setStep({ name: 'left' });
  const done = () => {
    setStep({ name: 'done' });
    onChanged();
  };
  const remove = () =>
    removal.run(async () => {
      await prove(() => gatehouse.email.remove());
      setAsking(false);
      setStep({ name: 'removed' });
      onChanged();
    });
  if (step.name === 'code')
    return (
      <CodeForm
        texts={texts}
        submit={texts.confirmCode}
        // The same words whether or not the address belongs to another account.
        hint={fill(texts.bindSentTo, { recipient: step.address })}
        recipient={step.address}
        channel="mail"
        newestBefore={step.newestBefore}
        resendAt={step.resendAt}
        send={() => prove(() => gatehouse.email.sendCode(step.address))}
        confirm={async (code) => {
          await prove(() => gatehouse.email.bind(step.address, code));
          done();
        }}
      >
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
        <p class="quiet-text">
          {texts.noCode}{' '}
          <button type="button" class="link" onClick={() => setStep({ name: 'address' })}>
            {texts.otherEmail}
          </button>
        </p>
      </CodeForm>
    );
  if (step.name === 'address')
    return (
      <AddressForm
        label={label}
        prove={prove}
        // The user may have closed the form meanwhile, or opened another one.
        onSent={(sent) => setStep((now) => (now === step ? { name: 'code', ...sent } : now))}
        onCancel={close}
      />
    );
  return (
    <div class="email">
      {email === null && (
        <>
          <h2>{texts.protectTitle}</h2>
          <p class="quiet-text">{texts.protectLead}</p>
        </>
      )}
      <div class="row">
        <Button ref={opener} kind={email === null ? 'primary' : 'plain'} onClick={() => setStep({ name: 'address' })}>
          {label}
        </Button>
        {email !== null && isRemovable && (
          <Button kind="quiet" onClick={() => setAsking(true)}>
            {texts.removeEmail}
          </Button>
        )}
      </div>
      <Notice kind="good">{describe(step)}</Notice>
      {isAsking && (
        <Confirm
          question={texts.removeEmailQuestion}
          explanation={texts.removeEmailLead}
          yes={texts.removeEmail}
          no={texts.cancel}
          task={removal}
          onYes={remove}
          onNo={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function describe({ name }: Step): string | undefined {
  if (name === 'removed') return texts.emailRemoved;
  return name === 'done' ? texts.emailBound : undefined;
}

type AddressProps = {
  readonly label: string;
  readonly prove: Prove;
  readonly onSent: (sent: SentCode) => void;
  readonly onCancel: () => void;
};

function AddressForm({ label, prove, onSent, onCancel }: AddressProps) {
  const [address, setAddress] = useState('');
  const task = useTask(texts.offline);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const send = (event: Event) => {
    event.preventDefault();
    task.run(async () => {
      const newestBefore = await findNewest(address.trim());
      const { resendAt, isSent } = await sendUnlessSent(
        () => prove(() => gatehouse.email.sendCode(address.trim())),
        address.trim(),
        facts.resendAfterSeconds.mail,
      );
      onSent({ address: address.trim(), newestBefore: isSent ? newestBefore : undefined, resendAt });
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
            aria-invalid={isTypedWrong(task.error)}
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
