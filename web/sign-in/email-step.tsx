// Alternative step one: the e-mail address that the sign-in link is sent to.
import { useEffect, useRef } from 'preact/hooks';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { facts } from '../parts/page-data.ts';
import { sendUnlessSent } from '../parts/use-resend.ts';
import { isTypedWrong, useTask } from '../parts/use-task.ts';
import { texts } from './sign-in-texts.ts';

type Props = {
  /** The sign-in of an app that the link goes on with. */
  readonly ticket: string | undefined;
  readonly typed: string;
  readonly onType: (email: string) => void;
  readonly onSent: (email: string, resendAt: number) => void;
  readonly onPhone: () => void;
};

export function EmailStep({ ticket, typed, onType, onSent, onPhone }: Props) {
  const task = useTask(texts.offline);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const send = (event: Event) => {
    event.preventDefault();
    const email = typed.trim();
    task.run(async () => {
      const { resendAt } = await sendUnlessSent(
        () => gatehouse.email.sendLink(email, ticket),
        email,
        facts.resendAfterSeconds.mail,
      );
      onSent(email, resendAt);
    });
  };
  return (
    <form onSubmit={send} noValidate>
      <h1>{texts.emailTitle}</h1>
      <p class="lead">{texts.emailLead}</p>
      <Field label={texts.email}>
        {({ id }) => (
          <input
            id={id}
            ref={input}
            name="email"
            type="email"
            inputMode="email"
            autocomplete="email"
            required
            value={typed}
            aria-invalid={isTypedWrong(task.error)}
            onFocus={() => gatehouse.prepareCaptcha()}
            onInput={({ currentTarget }) => onType(currentTarget.value)}
          />
        )}
      </Field>
      <Notice kind="bad">{task.message}</Notice>
      <Button kind="primary" type="submit" isBusy={task.isBusy}>
        {texts.sendLink}
      </Button>
      <Button kind="quiet" onClick={onPhone}>
        {texts.usePhone}
      </Button>
    </form>
  );
}
