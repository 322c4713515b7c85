// Deletes the account and all its files, after the user has confirmed.
import { useState } from 'preact/hooks';
import { Confirm } from '../parts/confirm.tsx';
import { Button } from '../parts/form-parts.tsx';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';
import { stayDuring } from './leave.ts';
import type { Prove } from './use-proof.tsx';

export function DeleteCard({ prove }: { readonly prove: Prove }) {
  const [isAsking, setAsking] = useState(false);
  const task = useTask(texts.offline);
  return (
    <section class="card delete" aria-labelledby="delete">
      <div>
        <h2 id="delete">{texts.deleteAccount}</h2>
        <p class="quiet-text">{texts.deleteLead}</p>
      </div>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {texts.deleteAccount}
      </Button>
      {isAsking && (
        <Confirm
          question={texts.deleteQuestion}
          explanation={texts.deleteLead}
          yes={texts.deleteForGood}
          no={texts.cancel}
          task={task}
          onYes={() => task.run(() => stayDuring(() => prove(() => gatehouse.deleteAccount())))}
          onNo={() => setAsking(false)}
        />
      )}
    </section>
  );
}
