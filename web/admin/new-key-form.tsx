// The form that creates a service key: what uses it, what it may do, when it ends, and why.
import { useState } from 'preact/hooks';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { formatDays } from '../parts/format.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card } from './list-parts.tsx';
import { ReasonField } from './reason-field.tsx';

type Scope = Calls['adminCreateServiceKey']['body']['scopes'][number];

/** All of them: one that is missing does not compile. */
const scopes = Object.keys({
  'users:read': true,
  'users:write': true,
  'sessions:end': true,
  'files:read': true,
  'files:write': true,
  'events:read': true,
} satisfies Record<Scope, true>) as Scope[];

const lives = [30, 90, 180, 365] as const;

export function NewKeyForm({ onCreated }: { readonly onCreated: (key: string) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [days, setDays] = useState(90);
  const [reason, setReason] = useState('');
  const task = useTask(texts.offline);
  const isReady = name.trim() !== '' && chosen.length > 0 && reason.trim() !== '';
  const create = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    task.run(async () => {
      const { key } = await call('adminCreateServiceKey', { body: { name, scopes: [...chosen], days, reason } });
      setName('');
      setChosen([]);
      setReason('');
      onCreated(key);
    });
  };
  const toggle = (scope: Scope) =>
    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]);
  return (
    <Card id="create-key" title={texts.createKeyTitle}>
      <form class="stack" onSubmit={create}>
        <Field label={texts.keyName}>
          {({ id }) => (
            <input
              id={id}
              required
              maxLength={60}
              autocomplete="off"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <fieldset class="choices">
          <legend>{texts.keyScopes}</legend>
          {scopes.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />{' '}
              <code>{scope}</code>
            </label>
          ))}
        </fieldset>
        <Field label={texts.keyDays}>
          {({ id }) => (
            <select id={id} value={days} onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}>
              {lives.map((life) => (
                <option key={life} value={life}>
                  {formatDays(life)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ReasonField value={reason} onInput={setReason} />
        <Notice kind="bad">{task.message}</Notice>
        <Button type="submit" kind="primary" isBusy={task.isBusy} disabled={!isReady}>
          {texts.createKey}
        </Button>
      </form>
    </Card>
  );
}
