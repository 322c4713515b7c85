// Shown after a link was requested. The text is the same whether or not the e-mail address has an account.
import { useEffect, useRef } from 'preact/hooks';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatDuration } from '../parts/format.ts';
import { gatehouse } from '../parts/gatehouse.ts';
import { facts, fill } from '../parts/page-data.ts';
import { useResend } from '../parts/use-resend.ts';
import { texts } from './sign-in-texts.ts';

type Props = {
  readonly email: string;
  readonly ticket: string | undefined;
  readonly resendAt: number;
  readonly onChange: () => void;
};

export function MailedStep({ email, ticket, resendAt, onChange }: Props) {
  const resend = useResend(
    email,
    facts.resendAfterSeconds.mail,
    resendAt,
    () => gatehouse.email.sendLink(email, ticket),
    texts.offline,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="step">
      <h1 tabIndex={-1} ref={heading}>
        {texts.mailedTitle}
      </h1>
      <p class="lead">{fill(texts.mailedLead, { recipient: email })}</p>
      {facts.hasInbox && (
        <a class="chip" href="/inbox" target="_blank" rel="noreferrer">
          {texts.openInbox}
        </a>
      )}
      <Notice kind="bad">{resend.task.message}</Notice>
      <Notice kind="good">{resend.isSent ? texts.sentAgain : undefined}</Notice>
      <Button kind="plain" isBusy={resend.task.isBusy} disabled={resend.secondsLeft > 0} onClick={resend.send}>
        {resend.secondsLeft > 0 ? fill(texts.resendIn, { duration: formatDuration(resend.secondsLeft) }) : texts.resend}
      </Button>
      <Button kind="quiet" onClick={onChange}>
        {texts.otherEmail}
      </Button>
    </div>
  );
}
