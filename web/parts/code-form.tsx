// The form for a code that was sent to a phone number or an e-mail address. The code can be sent again.
import { useEffect, useRef, useState } from 'preact/hooks';
import { CodeField, codeLength } from './code-field.tsx';
import { Button, Field, Notice } from './form-parts.tsx';
import { formatDuration } from './format.ts';
import { InboxChip } from './inbox-chip.tsx';
import { facts, fill } from './page-data.ts';
import { useResend } from './use-resend.ts';
import { useTask } from './use-task.ts';

export type CodeFormTexts = {
  readonly code: string;
  readonly sentTo: string;
  readonly sentAgain: string;
  readonly resend: string;
  readonly resendIn: string;
  readonly confirmCode: string;
  readonly inboxSays: string;
  readonly cancel: string;
  readonly offline: string;
};

type Props = {
  readonly texts: CodeFormTexts;
  readonly recipient: string;
  readonly channel: 'sms' | 'mail';
  /** The newest message to the recipient before the code was sent, for the inbox of local mode. */
  readonly newestBefore: string | undefined;
  /** When the code can be sent again, in milliseconds since 1970. */
  readonly resendAt: number;
  readonly send: () => Promise<void>;
  readonly confirm: (code: string) => Promise<void>;
  /** No button without it: the page has another one. */
  readonly onCancel?: () => void;
};

export function CodeForm({ texts, recipient, channel, newestBefore, resendAt, send, confirm, onCancel }: Props) {
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const task = useTask(texts.offline);
  const resend = useResend(facts.resendAfterSeconds[channel], resendAt, send, texts.offline);
  useEffect(() => input.current?.focus(), []);
  const enter = (digits: string) => {
    setCode(digits);
    if (digits.length < codeLength) return;
    resend.clear();
    task.run(async () => {
      try {
        await confirm(digits);
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
      <Field label={texts.code} hint={fill(texts.sentTo, { recipient })}>
        {(ids) => (
          <CodeField {...ids} value={code} isInvalid={task.error !== undefined} inputRef={input} onInput={enter} />
        )}
      </Field>
      <InboxChip to={recipient} after={newestBefore} texts={texts} onFill={enter} />
      <Notice kind="bad">{task.message ?? resend.task.message}</Notice>
      <Notice kind="good">{resend.isSent ? texts.sentAgain : undefined}</Notice>
      <div class="row">
        <Button kind="primary" type="submit" isBusy={task.isBusy}>
          {texts.confirmCode}
        </Button>
        <Button isBusy={resend.task.isBusy} disabled={resend.secondsLeft > 0} onClick={sendAgain}>
          {resend.secondsLeft > 0
            ? fill(texts.resendIn, { duration: formatDuration(resend.secondsLeft) })
            : texts.resend}
        </Button>
        {onCancel !== undefined && (
          <Button kind="quiet" onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
