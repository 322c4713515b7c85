// A modal dialog that asks for confirmation before something that cannot be undone.
import { useEffect, useId, useRef } from 'preact/hooks';
import './confirm.css';
import { Button, Notice } from './form-parts.tsx';
import type { Task } from './use-task.ts';

type Props = {
  readonly question: string;
  readonly explanation: string;
  readonly yes: string;
  readonly no: string;
  readonly task: Task;
  readonly onYes: () => void;
  readonly onNo: () => void;
};

export function Confirm({ question, explanation, yes, no, task, onYes, onNo }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={id} onClose={onNo}>
      <h2 id={id}>{question}</h2>
      <p>{explanation}</p>
      <Notice kind="bad">{task.message}</Notice>
      <div class="row">
        <Button onClick={onNo}>{no}</Button>
        <Button kind="danger" isBusy={task.isBusy} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </dialog>
  );
}
