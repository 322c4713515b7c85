// Asks the user who is signed in for a code, because the app or the service wants to be sure who is there. Nothing is sent before a click.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProofWay } from '../../client/src/proof-calls.ts';
import { channelOf } from '../parts/channel-of.ts';
import { CodeForm } from '../parts/code-form.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { findNewest } from '../parts/inbox-messages.ts';
import { facts, fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { sendUnlessSent } from '../parts/use-resend.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from '../sign-in/sign-in-texts.ts';
import { type SignedInUser, WhoIsSignedIn } from './who-is-signed-in.tsx';

type Props = {
  /** The name of who asks. */
  readonly asker: string;
  readonly user: SignedInUser;
  readonly onProved: () => void;
  readonly onLeave: () => Promise<void>;
};

type Sent = { readonly via: ProofWay; readonly newestBefore: string | undefined; readonly resendAt: number };

export function ProofStep({ asker, user, onProved, onLeave }: Props) {
  const [sent, setSent] = useState<Sent | undefined>();
  const task = useTask(texts.offline);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const via = user.phone === null ? 'email' : 'phone';
  const recipient = formatPhone(user[via] ?? '');
  const other = via === 'phone' ? user.email : null;
  const send = (by: ProofWay) =>
    task.run(async () => {
      const newestBefore = await findNewest(user[by] ?? '');
      const { resendAt, isSent } = await sendUnlessSent(() => gatehouse.proof.send(by), user[by] ?? '', pausesOf(by));
      setSent({ via: by, newestBefore: isSent ? newestBefore : undefined, resendAt });
    });
  const confirm = async (code: string) => {
    await gatehouse.proof.confirm(code);
    onProved();
  };
  return (
    <div class="step">
      <h1 tabIndex={-1} ref={heading}>
        {texts.app.proveTitle}
      </h1>
      {sent === undefined ? (
        <>
          <p class="lead">{fill(texts.app.proveAsk, { app: asker, recipient })}</p>
          <Notice kind="bad">{task.message}</Notice>
          <Button kind="primary" isBusy={task.isBusy} onClick={() => send(via)}>
            {texts.sendCode}
          </Button>
        </>
      ) : (
        <CodeForm
          key={sent.via}
          texts={texts}
          submit={texts.app.confirmCode}
          hint={fill(texts.app.proveLead, { recipient: formatPhone(user[sent.via] ?? '') })}
          recipient={user[sent.via] ?? ''}
          channel={channelOf[sent.via]}
          newestBefore={sent.newestBefore}
          resendAt={sent.resendAt}
          send={() => gatehouse.proof.send(sent.via)}
          confirm={confirm}
        />
      )}
      {sent !== undefined && <Notice kind="bad">{task.message}</Notice>}
      {other !== null && sent?.via !== 'email' && (
        <Button onClick={() => send('email')}>{fill(texts.app.proveOther, { recipient: other })}</Button>
      )}
      <WhoIsSignedIn user={user} onLeave={onLeave} />
    </div>
  );
}

function pausesOf(via: ProofWay): readonly number[] {
  return facts.resendAfterSeconds[channelOf[via]];
}
