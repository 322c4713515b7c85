// A dialog that asks for the code that proves that it is the user. The code can be sent again, or by the other channel.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CodeWanted, ProofChannel } from '../../client/src/proof-calls.ts';
import { CodeField, codeLength } from '../parts/code-field.tsx';
import '../parts/confirm.css';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { formatDuration } from '../parts/format.ts';
import { InboxChip } from '../parts/inbox-chip.tsx';
import { facts, fill } from '../parts/page-data.ts';
import { firstResendAt, useResend } from '../parts/use-resend.ts';
import { texts } from './account-texts.ts';

export type AskedCode = CodeWanted & {
  readonly answer: (code: string | undefined) => void;
  /** The newest message to each recipient before a code was sent, for the inbox of local mode. */
  readonly newestBefore: Readonly<Partial<Record<ProofChannel, string | undefined>>>;
};

export type ProofRecipients = { readonly phone: string | null; readonly email: string | null };

type Props = { readonly asked: AskedCode; readonly recipients: ProofRecipients };

export function ProofDialog({ asked, recipients }: Props) {
  const [via, setVia] = useState<ProofChannel>(asked.via);
  const [resentFor, setResentFor] = useState<AskedCode | undefined>();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  // A refused code asks again, even if the user has closed the dialog meanwhile.
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, [asked]);
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={title} onClose={() => asked.answer(undefined)}>
      <h2 id={title}>{texts.proveTitle}</h2>
      <ProofForm
        key={via}
        via={via}
        asked={asked}
        recipients={recipients}
        isResent={resentFor === asked}
        onSent={(next) => {
          setResentFor(asked);
          setVia(next);
        }}
      />
    </dialog>
  );
}

type FormProps = Props & {
  readonly via: ProofChannel;
  /** A code was sent after the last one was refused, or could not be sent: the reason no longer matters. */
  readonly isResent: boolean;
  readonly onSent: (via: ProofChannel) => void;
};

function ProofForm({ asked, recipients, via, isResent, onSent }: FormProps) {
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pauses = facts.resendAfterSeconds[via === 'phone' ? 'sms' : 'mail'];
  const resend = useResend(pauses, firstResendAt(pauses), () => asked.send(via).then(() => onSent(via)), texts.offline);
  const other = via === 'phone' ? 'email' : 'phone';
  const otherRecipient = recipients[other];
  const change = useResend([], 0, () => asked.send(other).then(() => onSent(other)), texts.offline);
  useEffect(() => {
    setBusy(false);
    setCode('');
    input.current?.focus();
  }, [asked]);
  const enter = (digits: string) => {
    setCode(digits);
    if (digits.length < codeLength || isBusy) return;
    resend.clear();
    setBusy(true);
    asked.answer(digits);
  };
  const recipient = recipients[via] ?? '';
  const error = isBusy || isResent ? undefined : asked.error;
  const refusal = error?.code === 'NETWORK' ? texts.offline : error?.message;
  return (
    <form
      class="email"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        enter(code);
      }}
    >
      <Field label={texts.code} hint={fill(texts.proveLead, { recipient })}>
        {(ids) => (
          <CodeField {...ids} value={code} isInvalid={refusal !== undefined} inputRef={input} onInput={enter} />
        )}
      </Field>
      <InboxChip to={recipient} after={asked.newestBefore[via]} texts={texts} onFill={enter} />
      <Notice kind="bad">{resend.task.message ?? change.task.message ?? refusal}</Notice>
      <Notice kind="good">{resend.isSent ? texts.sentAgain : undefined}</Notice>
      <div class="row">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {texts.confirmCode}
        </Button>
        <Button isBusy={resend.task.isBusy} disabled={resend.secondsLeft > 0} onClick={resend.send}>
          {resend.secondsLeft > 0
            ? fill(texts.resendIn, { duration: formatDuration(resend.secondsLeft) })
            : texts.resend}
        </Button>
        {otherRecipient !== null && (
          <Button kind="quiet" isBusy={change.task.isBusy} onClick={change.send}>
            {fill(texts.proveOther, { recipient: otherRecipient })}
          </Button>
        )}
        <Button kind="quiet" onClick={() => asked.answer(undefined)}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
