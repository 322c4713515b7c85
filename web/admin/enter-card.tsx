// The sign-in form of the admin page: staff paste their link or its token.
import { useState } from 'preact/hooks';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { useTask } from '../parts/use-task.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { tokenIn } from './use-place.ts';

export function EnterCard({ onEnter }: { readonly onEnter: (staff: Calls['adminMe']['data']) => void }) {
  const [text, setText] = useState('');
  const task = useTask(texts.offline);
  const enter = (event: Event) => {
    event.preventDefault();
    task.run(async () => onEnter(await call('adminEnter', { body: { token: tokenIn(text) ?? text } })));
  };
  return (
    <section class="card" aria-labelledby="enter">
      <form onSubmit={enter}>
        <h1 id="enter">{texts.enterTitle}</h1>
        <p class="lead">{texts.enterLead}</p>
        <Field label={texts.token}>
          {({ id }) => (
            <input
              id={id}
              type="password"
              autocomplete="off"
              spellcheck={false}
              required
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        <Notice kind="bad">{task.message}</Notice>
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {texts.enter}
        </Button>
      </form>
    </section>
  );
}
