// The actions of a view: a button opens the dialog that asks for the reason; afterwards a notice confirms and the view reloads.
import { useState } from 'preact/hooks';
import { Button, Notice } from '../parts/form-parts.tsx';
import { ActDialog, type StaffAction } from './act-dialog.tsx';
import { texts } from './admin-texts.ts';
import { mayCall } from './staff-role.ts';

export function useActions(onDone: () => void) {
  const [action, setAction] = useState<StaffAction | undefined>();
  const [isDone, setDone] = useState(false);
  /** Nothing if the role of the staff member may not do it. `about` is for screen readers: it says which of several equal buttons this is. */
  const button = (next: StaffAction, about?: string) =>
    mayCall(next.call) && (
      <Button
        key={next.label}
        kind={next.confirm === undefined ? 'plain' : 'danger'}
        aria-label={about === undefined ? undefined : `${next.label}: ${about}`}
        onClick={() => {
          setDone(false);
          setAction(next);
        }}
      >
        {next.label}
      </Button>
    );
  const dialog = action !== undefined && (
    <ActDialog
      action={action}
      onCancel={() => setAction(undefined)}
      onDone={() => {
        setAction(undefined);
        setDone(true);
        onDone();
      }}
    />
  );
  const notice = <Notice kind="good">{isDone ? texts.done : ''}</Notice>;
  return { button, dialog, notice };
}
