// Asks staff for a reason before an action, and for a typed confirmation before a permanent one.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import '../parts/confirm.css';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { fill } from '../parts/page-data.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './admin-texts.ts';
import type { CallName } from './api-types.ts';
import { ReasonField } from './reason-field.tsx';

export type StaffAction = {
  /** What the action asks the service. It is offered to the roles that may. */
  readonly call: CallName;
  readonly label: string;
  /** The question of the dialog: what is done, and to whom. */
  readonly title: string;
  /** What the action changes for the user. */
  readonly lead: string;
  /** Letters that staff must type. */
  readonly confirm?: string;
  /** A phone number that staff must type. */
  readonly phone?: { readonly label: string; readonly hint: string };
  /** `typed`: the letters or the number. */
  readonly act: (reason: string, typed: string) => Promise<unknown>;
};

type Props = { readonly action: StaffAction; readonly onDone: () => void; readonly onCancel: () => void };

export function ActDialog({ action, onDone, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const task = useTask(texts.offline);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const isTyped = action.phone === undefined || typed.trim() !== '';
  const isReady = reason.trim() !== '' && isTyped && (action.confirm === undefined || typed.trim() === action.confirm);
  const act = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    task.run(async () => {
      await action.act(reason, typed);
      onDone();
    });
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={id} onClose={onCancel}>
      <h2 id={id}>{action.title}</h2>
      <p>{action.lead}</p>
      <form onSubmit={act}>
        {action.phone !== undefined && (
          <Field label={action.phone.label} hint={action.phone.hint}>
            {({ id: field, describedBy }) => (
              <input
                id={field}
                aria-describedby={describedBy}
                type="tel"
                required
                maxLength={64}
                autocomplete="off"
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <ReasonField value={reason} onInput={setReason} />
        {action.confirm !== undefined && (
          <Field label={fill(texts.confirmId, { letters: action.confirm })}>
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
            {action.label}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
