// The fields and buttons for a code that was sent: it is submitted as soon as it is complete. After a dead code, a new one can only be sent.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GatehouseError } from '../../client/src/gatehouse-error.ts';
import type { Channel } from './channel.ts';
import { CodeField, codeLength } from './code-field.tsx';
import { Button, Field, Notice } from './form-parts.tsx';
import { formatDuration } from './format.ts';
import { InboxChip } from './inbox-chip.tsx';
import { facts, fill } from './page-data.ts';
import type { Resend } from './use-resend.ts';
import { useSmsCode } from './use-sms-code.ts';
import { isTypedWrong } from './use-task.ts';

export type CodeTexts = {
  readonly code: string;
  readonly codeShort: string;
  readonly sentAgain: string;
  readonly resend: string;
  readonly resendIn: string;
  readonly newCode: string;
  readonly newCodeIn: string;
  readonly inboxSays: string;
};

type Props = {
  readonly texts: CodeTexts;
  /** What the button says that submits the code. */
  readonly submit: string;
  readonly hint?: string;
  readonly recipient: string;
  readonly channel: Channel;
  /** The newest message to the recipient before the code was sent, for the inbox of local mode. */
  readonly newestBefore: string | undefined;
  readonly isBusy: boolean;
  /** The refusal of the last code: a new object for each. */
  readonly error: GatehouseError | undefined;
  readonly message: string | undefined;
  readonly resend: Resend;
  readonly onCode: (digits: string) => void;
  /** More buttons. */
  readonly children?: ComponentChildren;
};

export function CodeEntry(props: Props) {
  const { texts, submit, hint, recipient, channel, newestBefore, isBusy, error, message, resend, onCode } = props;
  const [code, setCode] = useState('');
  const [isShort, setShort] = useState(false);
  const isDead = useDeadCode(error, resend.isSent);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isDead || isRefused(error)) setCode('');
    input.current?.focus();
  }, [error, isDead]);
  const enter = (digits: string) => {
    setCode(digits);
    setShort(false);
    if (digits.length < codeLength || isBusy) return;
    resend.clear();
    onCode(digits);
  };
  useSmsCode(channel === 'sms', enter);
  const check = (event: Event) => {
    event.preventDefault();
    if (isDead) {
      if (resend.secondsLeft === 0) resend.send();
      return;
    }
    enter(code);
    setShort(code.length < codeLength);
    input.current?.focus();
  };
  const problem = isShort ? fill(texts.codeShort, { count: codeLength }) : (message ?? resend.task.message);
  const wait = { duration: formatDuration(resend.secondsLeft) };
  const [now, later] = isDead ? [texts.newCode, texts.newCodeIn] : [texts.resend, texts.resendIn];
  return (
    <form noValidate onSubmit={check}>
      <Field label={texts.code} {...(hint !== undefined && { hint })}>
        {(ids) => (
          <CodeField
            {...ids}
            value={code}
            isInvalid={isShort || isTypedWrong(error)}
            isDisabled={isDead}
            inputRef={input}
            onInput={enter}
          />
        )}
      </Field>
      {!isDead && <InboxChip to={recipient} after={newestBefore} texts={texts} onFill={enter} />}
      <Notice kind="bad">{problem}</Notice>
      <Notice kind="good">{resend.isSent ? texts.sentAgain : undefined}</Notice>
      <div class="actions">
        {!isDead && (
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {submit}
          </Button>
        )}
        <Button
          kind={isDead ? 'primary' : 'quiet'}
          isBusy={resend.task.isBusy}
          disabled={resend.secondsLeft > 0}
          onClick={resend.send}
        >
          {resend.secondsLeft > 0 ? fill(later, wait) : now}
        </Button>
        {props.children}
      </div>
    </form>
  );
}

/** After any other failure, the code may still be right: the user sends it again without typing it. */
function isRefused(error: GatehouseError | undefined): boolean {
  return error !== undefined && ['OTP_INVALID', 'OTP_EXPIRED', 'OTP_ATTEMPTS_EXCEEDED'].includes(error.code);
}

/** Whether only a new code helps: the last one has expired, or has no attempts left. */
function useDeadCode(error: GatehouseError | undefined, isSent: boolean): boolean {
  const [wrong, setWrong] = useState(0);
  useEffect(() => {
    if (error?.code === 'OTP_INVALID') setWrong((count) => count + 1);
    if (error?.code === 'OTP_EXPIRED' || error?.code === 'OTP_ATTEMPTS_EXCEEDED') setWrong(facts.codeAttempts);
  }, [error]);
  useEffect(() => {
    if (isSent) setWrong(0);
  }, [isSent]);
  return wrong >= facts.codeAttempts;
}
