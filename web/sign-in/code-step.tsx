// Step two: the code. It is submitted as soon as it has six digits.
import { useEffect, useRef, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { CodeField, codeLength } from '../parts/code-field.tsx';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { formatDuration } from '../parts/format.ts';
import { gatehouse } from '../parts/gatehouse.ts';
import { InboxChip } from '../parts/inbox-chip.tsx';
import { facts, fill } from '../parts/page-data.ts';
import { useResend } from '../parts/use-resend.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './sign-in-texts.ts';
import { useSmsCode } from './use-sms-code.ts';
import type { CodeWanted } from './use-step.ts';

type Props = CodeWanted & {
  readonly onChange: () => void;
  /** The code was right, but nobody has used the account of this number for a long time. */
  readonly onRecycled: (ticket: string) => void;
};

export function CodeStep({ phone, newestBefore, resendAt, onChange, onRecycled }: Props) {
  const [code, setCode] = useState('');
  const signIn = useTask(texts.offline);
  const resend = useResend(
    facts.resendAfterSeconds.sms,
    resendAt,
    () => gatehouse.phone.sendCode(phone),
    texts.offline,
  );
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const enter = (digits: string) => {
    setCode(digits);
    if (digits.length < codeLength) return;
    resend.clear();
    signIn.run(async () => {
      try {
        // The `signed-in` event leads to the next page.
        await gatehouse.phone.signIn(phone, digits);
      } catch (failure) {
        if (failure instanceof GatehouseError && failure.proofTicket !== undefined)
          return onRecycled(failure.proofTicket);
        setCode('');
        input.current?.focus();
        throw failure;
      }
    });
  };
  useSmsCode(enter);
  const sendAgain = () => {
    signIn.clear();
    resend.send();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        enter(code);
      }}
      noValidate
    >
      <h1>{texts.codeTitle}</h1>
      <p class="lead">
        {fill(texts.sentTo, { recipient: phone })}{' '}
        <button type="button" class="link" onClick={onChange}>
          {texts.change}
        </button>
      </p>
      <Field label={texts.code}>
        {(ids) => (
          <CodeField {...ids} value={code} isInvalid={signIn.error !== undefined} inputRef={input} onInput={enter} />
        )}
      </Field>
      <InboxChip to={phone} after={newestBefore} texts={texts} onFill={enter} />
      <Notice kind="bad">{signIn.message ?? resend.task.message}</Notice>
      <Notice kind="good">{resend.isSent ? texts.sentAgain : undefined}</Notice>
      <Button kind="primary" type="submit" isBusy={signIn.isBusy}>
        {texts.signIn}
      </Button>
      <Button kind="quiet" isBusy={resend.task.isBusy} disabled={resend.secondsLeft > 0} onClick={sendAgain}>
        {resend.secondsLeft > 0 ? fill(texts.resendIn, { duration: formatDuration(resend.secondsLeft) }) : texts.resend}
      </Button>
    </form>
  );
}
