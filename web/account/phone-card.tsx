// Adds or changes the phone number of the account, at once or after the wait for a lost phone, and cancels a scheduled change.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScheduledPhone } from '../../client/src/phone-calls.ts';
import type { ProofWay } from '../../client/src/proof-calls.ts';
import { CodeForm } from '../parts/code-form.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatDateTime, formatDuration } from '../parts/format.ts';
import { findNewest } from '../parts/inbox-messages.ts';
import { facts, fill } from '../parts/page-data.ts';
import { PhoneField, readPhone, startTyping } from '../parts/phone-field.tsx';
import { formatPhone } from '../parts/phone-input.ts';
import { sendUnlessSent } from '../parts/use-resend.ts';
import { isTypedWrong, useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';
import type { Prove } from './use-proof.tsx';

type Props = {
  readonly phone: string | null;
  /** True if a code by e-mail can prove that it is the user. */
  readonly hasEmail: boolean;
  readonly scheduled: ScheduledPhone | null;
  readonly prove: Prove;
  readonly onChanged: () => void;
};

type Step =
  | { readonly name: 'closed' | 'left' | 'added' | 'changed' | 'scheduled' | 'cancelled' }
  | { readonly name: 'number'; readonly isLost: boolean }
  | ({ readonly name: 'code'; readonly isLost: boolean } & SentCode);

type SentCode = {
  readonly phone: string;
  readonly newestBefore: string | undefined;
  readonly resendAt: number;
};

export function PhoneCard({ phone, hasEmail, scheduled, prove, onChanged }: Props) {
  const [step, setStep] = useState<Step>({ name: 'closed' });
  const opener = useRef<HTMLButtonElement>(null);
  // The form or button that had the focus was removed, so the focus returns to the button.
  useEffect(() => {
    if (step.name !== 'closed' && step.name !== 'number' && step.name !== 'code') opener.current?.focus();
  }, [step]);
  const close = () => setStep({ name: 'left' });
  const finish = (name: 'added' | 'changed' | 'scheduled' | 'cancelled') => {
    setStep({ name });
    onChanged();
  };
  if (step.name === 'number')
    return (
      <NumberForm
        isFirst={phone === null}
        isLost={step.isLost}
        hasEmail={hasEmail}
        prove={prove}
        onSent={(sent) =>
          // The user may have closed the form meanwhile, or opened another one.
          setStep((now) => (now === step ? { name: 'code', isLost: step.isLost, ...sent } : now))
        }
        onCancel={close}
      />
    );
  if (step.name === 'code') {
    const via = proofWay(step.isLost);
    return (
      <CodeForm
        texts={texts}
        submit={texts.confirmCode}
        hint={fill(texts.sentTo, { recipient: formatPhone(step.phone) })}
        recipient={step.phone}
        channel="sms"
        newestBefore={step.newestBefore}
        resendAt={step.resendAt}
        send={() => prove(() => gatehouse.phone.sendChangeCode(step.phone), via)}
        confirm={async (code) => {
          const changed = await prove(() => gatehouse.phone.change(step.phone, code), via);
          if ('effectiveAt' in changed) finish('scheduled');
          else finish(phone === null ? 'added' : 'changed');
        }}
      >
        <Button kind="quiet" onClick={close}>
          {texts.cancel}
        </Button>
      </CodeForm>
    );
  }
  return (
    <div class="email">
      {phone === null && (
        <>
          <h2>{texts.protectTitle}</h2>
          <p class="quiet-text">{texts.noPhoneLead}</p>
        </>
      )}
      {scheduled !== null && <Scheduled scheduled={scheduled} onCancelled={() => finish('cancelled')} />}
      <div class="row">
        <Button
          ref={opener}
          kind={phone === null ? 'primary' : 'plain'}
          onClick={() => setStep({ name: 'number', isLost: false })}
        >
          {phone === null ? texts.addPhone : texts.changePhone}
        </Button>
        {phone !== null && hasEmail && (
          <Button kind="quiet" onClick={() => setStep({ name: 'number', isLost: true })}>
            {texts.lostPhone}
          </Button>
        )}
      </div>
      <Notice kind="good">{describe(step)}</Notice>
    </div>
  );
}

/** Who has lost the phone gets the code by e-mail. */
function proofWay(isLost: boolean): ProofWay | undefined {
  return isLost ? 'email' : undefined;
}

function describe({ name }: Step): string | undefined {
  if (name === 'added') return texts.phoneAdded;
  if (name === 'changed') return texts.phoneChanged;
  return name === 'cancelled' ? texts.changeCancelled : undefined;
}

function Scheduled({
  scheduled,
  onCancelled,
}: {
  readonly scheduled: ScheduledPhone;
  readonly onCancelled: () => void;
}) {
  const task = useTask(texts.offline);
  const cancel = () =>
    task.run(async () => {
      await gatehouse.phone.cancelChange();
      onCancelled();
    });
  const values = { recipient: formatPhone(scheduled.phone), time: formatDateTime(scheduled.effectiveAt) };
  return (
    <div class="scheduled" role="status">
      <p>
        <strong>{fill(texts.changeScheduled, values)}</strong>
      </p>
      <p>{texts.changeScheduledLead}</p>
      <Notice kind="bad">{task.message}</Notice>
      <Button kind="danger" isBusy={task.isBusy} onClick={cancel}>
        {texts.cancelChange}
      </Button>
    </div>
  );
}

type NumberProps = {
  readonly isFirst: boolean;
  readonly isLost: boolean;
  readonly hasEmail: boolean;
  readonly prove: Prove;
  readonly onSent: (sent: SentCode) => void;
  readonly onCancel: () => void;
};

function NumberForm({ isFirst, isLost, hasEmail, prove, onSent, onCancel }: NumberProps) {
  const [number, setNumber] = useState(() => startTyping(''));
  const task = useTask(texts.offline);
  const send = (event: Event) => {
    event.preventDefault();
    const phone = readPhone(number);
    task.run(async () => {
      const newestBefore = await findNewest(phone);
      const { resendAt, isSent } = await sendUnlessSent(
        () => prove(() => gatehouse.phone.sendChangeCode(phone), proofWay(isLost)),
        phone,
        facts.resendAfterSeconds.sms,
      );
      onSent({ phone, newestBefore: isSent ? newestBefore : undefined, resendAt });
    });
  };
  const hint = isFirst ? texts.addPhoneHint : texts.changePhoneHint;
  const wait = { duration: formatDuration(facts.phoneRecoveryWaitSeconds) };
  return (
    <form class="email" onSubmit={send} noValidate aria-label={isFirst ? texts.addPhone : texts.changePhone}>
      {isLost && <p class="quiet-text">{fill(texts.lostPhoneLead, wait)}</p>}
      <PhoneField
        value={number}
        texts={texts}
        label={texts.newPhone}
        {...(!isLost && { hint: isFirst || !hasEmail ? hint : `${hint} ${fill(texts.changePhoneWait, wait)}` })}
        isInvalid={isTypedWrong(task.error)}
        onInput={setNumber}
      />
      <Notice kind="bad">{task.error?.code === 'PHONE_INVALID' ? texts.phoneInvalid : task.message}</Notice>
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
