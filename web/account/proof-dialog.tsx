// A dialog that asks for the code that proves that it is the user. The code can be sent again, or by the other channel.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CodeWanted, ProofWay } from '../../client/src/proof-calls.ts';
import { channelOf } from '../parts/channel-of.ts';
import { CodeEntry } from '../parts/code-entry.tsx';
import '../parts/confirm.css';
import { Button } from '../parts/form-parts.tsx';
import { facts, fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { noteSend, useResend } from '../parts/use-resend.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';

export type AskedCode = CodeWanted & {
  readonly answer: (code: string | undefined) => void;
  /** The newest message to each recipient before a code was sent, for the inbox of local mode. */
  readonly newestBefore: Readonly<Partial<Record<ProofWay, string | undefined>>>;
};

export type ProofRecipients = { readonly phone: string | null; readonly email: string | null };

type Props = { readonly asked: AskedCode; readonly recipients: ProofRecipients };

export function ProofDialog({ asked, recipients }: Props) {
  const [via, setVia] = useState<ProofWay>(asked.via);
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
  readonly via: ProofWay;
  /** A code was sent after the last one was refused, or could not be sent: the reason no longer matters. */
  readonly isResent: boolean;
  readonly onSent: (via: ProofWay) => void;
};

function ProofForm({ asked, recipients, via, isResent, onSent }: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const channel = channelOf[via];
  const pauses = facts.resendAfterSeconds[channel];
  const recipient = recipients[via] ?? '';
  // The client sends before it asks, or says when it may.
  const [resendAt] = useState(() => {
    const wait = isResent ? undefined : asked.error?.retryAfterSeconds;
    return wait === undefined ? noteSend(recipient, pauses) : Date.now() + wait * 1000;
  });
  const resend = useResend(recipient, pauses, resendAt, () => asked.send(via).then(() => onSent(via)), texts.offline);
  const other = via === 'phone' ? 'email' : 'phone';
  const otherRecipient = recipients[other];
  const change = useTask(texts.offline);
  const sendToOther = () => change.run(() => asked.send(other).then(() => onSent(other)));
  useEffect(() => setBusy(false), [asked]);
  const error = isBusy || isResent ? undefined : asked.error;
  const refusal = error?.code === 'NETWORK' ? texts.offline : error?.message;
  return (
    <CodeEntry
      texts={texts}
      submit={texts.confirmCode}
      hint={fill(texts.proveLead, { recipient: formatPhone(recipient) })}
      recipient={recipient}
      channel={channel}
      newestBefore={asked.newestBefore[via]}
      isBusy={isBusy}
      error={error}
      message={resend.task.message ?? change.message ?? refusal}
      resend={resend}
      onCode={(digits) => {
        setBusy(true);
        asked.answer(digits);
      }}
    >
      {otherRecipient !== null && (
        <Button kind="quiet" isBusy={change.isBusy} onClick={sendToOther}>
          {fill(texts.proveOther, { recipient: formatPhone(otherRecipient) })}
        </Button>
      )}
      <Button kind="quiet" onClick={() => asked.answer(undefined)}>
        {texts.cancel}
      </Button>
    </CodeEntry>
  );
}
