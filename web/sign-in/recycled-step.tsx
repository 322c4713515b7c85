// Asks whose account it is: the owner signs in by e-mail, a new holder of the number starts a new account. The address is not shown.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './sign-in-texts.ts';

type Props = {
  readonly phone: string;
  readonly ticket: string;
  readonly onEmail: () => void;
  readonly onPhone: () => void;
};

export function RecycledStep({ phone, ticket, onEmail, onPhone }: Props) {
  const [isAsking, setAsking] = useState(false);
  const task = useTask(texts.offline);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOver = task.error?.code === 'PROOF_TICKET_INVALID';
  // The dialog that had the focus was removed.
  useEffect(() => heading.current?.focus(), [isOver]);
  // The `signed-in` event leads to the next page.
  const claim = () => task.run(() => gatehouse.phone.claim(ticket));
  return (
    <div class="step">
      <h1 tabIndex={-1} ref={heading}>
        {texts.recycledTitle}
      </h1>
      <p class="lead">{fill(texts.recycledLead, { recipient: formatPhone(phone) })}</p>
      {isOver ? (
        <>
          <Notice kind="bad">{task.message}</Notice>
          <Button kind="primary" onClick={onPhone}>
            {texts.signIn}
          </Button>
        </>
      ) : (
        <>
          <Button kind="primary" onClick={onEmail}>
            {texts.recycledMine}
          </Button>
          <Button onClick={() => setAsking(true)}>{texts.recycledNew}</Button>
        </>
      )}
      {isAsking && !isOver && (
        <Confirm
          question={texts.claimQuestion}
          explanation={texts.claimLead}
          yes={texts.claimYes}
          no={texts.cancel}
          task={task}
          onYes={claim}
          onNo={() => setAsking(false)}
        />
      )}
    </div>
  );
}
