// What may be done on a view: opens the dialog that asks for the reason, says when it is done, and looks again.
import { useState } from 'preact/hooks';
import { Button, Notice } from '../parts/form-parts.tsx';
import { ActDialog, type Deed } from './act-dialog.tsx';
import { texts } from './admin-texts.ts';

export function useDeeds(onDone: () => void) {
  const [deed, setDeed] = useState<Deed | undefined>();
  const [isDone, setDone] = useState(false);
  const button = (next: Deed, about?: string) => (
    <Button
      key={next.label}
      kind={next.confirm === undefined ? 'plain' : 'danger'}
      aria-label={about === undefined ? undefined : `${next.label}: ${about}`}
      onClick={() => {
        setDone(false);
        setDeed(next);
      }}
    >
      {next.label}
    </Button>
  );
  const dialog = deed !== undefined && (
    <ActDialog
      deed={deed}
      onCancel={() => setDeed(undefined)}
      onDone={() => {
        setDeed(undefined);
        setDone(true);
        onDone();
      }}
    />
  );
  const notice = <Notice kind="good">{isDone ? texts.done : ''}</Notice>;
  return { button, dialog, notice };
}
