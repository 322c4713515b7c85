// Step one: the phone number, in any common format.
import { useState } from 'preact/hooks';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { findNewest } from '../parts/inbox-messages.ts';
import { facts } from '../parts/page-data.ts';
import { PhoneField, readPhone, startTyping } from '../parts/phone-field.tsx';
import { sendUnlessSent } from '../parts/use-resend.ts';
import { isTypedWrong, useTask } from '../parts/use-task.ts';
import { texts } from './sign-in-texts.ts';
import type { CodeWanted } from './use-step.ts';

type Props = {
  readonly title: string;
  readonly typed: string;
  readonly onType: (phone: string) => void;
  readonly onSent: (wanted: CodeWanted) => void;
  readonly onEmail: () => void;
};

export function PhoneStep({ title, typed, onType, onSent, onEmail }: Props) {
  const [number, setNumber] = useState(() => startTyping(typed));
  const task = useTask(texts.offline);
  const send = (event: Event) => {
    event.preventDefault();
    const phone = readPhone(number);
    task.run(async () => {
      const newestBefore = await findNewest(phone);
      const { resendAt, isSent } = await sendUnlessSent(
        () => gatehouse.phone.sendCode(phone),
        phone,
        facts.resendAfterSeconds.sms,
      );
      onSent({ phone, newestBefore: isSent ? newestBefore : undefined, resendAt });
    });
  };
  return (
    <form onSubmit={send} noValidate>
      <h1>{title}</h1>
      <p class="lead">{texts.phoneLead}</p>
      <PhoneField
        value={number}
        texts={texts}
        label={texts.phone}
        isInvalid={isTypedWrong(task.error)}
        onInput={(next) => {
          setNumber(next);
          onType(next.typed);
        }}
      />
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
