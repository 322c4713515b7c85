// Asks for the reason before something is done to somebody, and for a typed confirmation before it is gone for good.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import '../parts/confirm.css';
import { fill } from '../parts/facts.ts';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { useTask } from '../parts/use-task.ts';
import { texts } from './admin-texts.ts';

export type Deed = {
  readonly label: string;
  readonly lead?: string;
  /** Letters that have to be typed. */
  readonly confirm?: string;
  readonly act: (reason: string, confirm: string) => Promise<unknown>;
};

type Props = { readonly deed: Deed; readonly onDone: () => void; readonly onCancel: () => void };

export function ActDialog({ deed, onDone, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const task = useTask(texts.offline);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const isReady = reason.trim() !== '' && (deed.confirm === undefined || typed.trim() === deed.confirm);
  const act = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    task.run(async () => {
      await deed.act(reason, typed);
      onDone();
    });
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={id} onClose={onCancel}>
      <h2 id={id}>{deed.label}</h2>
      {deed.lead !== undefined && <p>{deed.lead}</p>}
      <form onSubmit={act}>
        <Field label={texts.reason} hint={texts.reasonHint}>
          {({ id: field, describedBy }) => (
            <input
              id={field}
              aria-describedby={describedBy}
              required
              maxLength={200}
              autocomplete="off"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </Field>
        {deed.confirm !== undefined && (
          <Field label={fill(texts.confirmId, { letters: deed.confirm })}>
            {({ id: field }) => (
              <input
                id={field}
                required
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Notice kind="bad">{task.message}</Notice>
        <div class="row">
          <Button onClick={onCancel}>{texts.cancel}</Button>
          <Button type="submit" kind="danger" isBusy={task.isBusy} disabled={!isReady}>
            {deed.label}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
