// Looks up a phone number, e-mail address or IP address, with or without an account: its limits and its timeline.
import { useState } from 'preact/hooks';
import { EmptyState } from '../parts/empty-state.tsx';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { clockIcon, searchIcon } from '../parts/icons.ts';
import { fill } from '../parts/page-data.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { EventRow } from './event-row.tsx';
import { hasLimits, LimitsList } from './limits-list.tsx';
import { Card } from './list-parts.tsx';
import { useActions } from './use-actions.tsx';

type Found = Calls['adminLookUp']['data'] & { readonly whom: string };

export function LookUpView() {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found | undefined>();
  const task = useTask(texts.offline);
  const lookUp = (whom: string, cursor?: string) =>
    task.run(async () => {
      const body = { whom, ...(cursor !== undefined && { cursor }) };
      const page = await call('adminLookUp', { body });
      const before = cursor === undefined ? [] : (found?.timeline.entries ?? []);
      const timeline = { entries: [...before, ...page.timeline.entries], next: page.timeline.next };
      setFound({ ...page, timeline, whom });
    });
  const { button, dialog, notice } = useActions(() => found !== undefined && lookUp(found.whom));
  const submit = (event: Event) => {
    event.preventDefault();
    lookUp(text);
  };
  return (
    <>
      <div class="view-head">
        <h1>{texts.lookUp}</h1>
        <p class="quiet-text">{texts.lookUpLead}</p>
      </div>
      <form class="card search" onSubmit={submit}>
        <Field label={texts.whom}>
          {({ id }) => (
            <input
              id={id}
              autocomplete="off"
              spellcheck={false}
              required
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" icon={searchIcon} isBusy={task.isBusy}>
          {texts.lookUp}
        </Button>
      </form>
      <Notice kind="bad">{task.message}</Notice>
      {found !== undefined && (
        <>
          {found.userId !== null && (
            <p>
              <a href={`#users/${found.userId}`}>{texts.openUser}</a>
            </p>
          )}
          <Card id="limits" title={texts.limits}>
            <LimitsList limits={found.limits} />
            {notice}
            <div class="row">
              {hasLimits(found.limits) &&
                button({
                  label: texts.clearLimits,
                  title: fill(texts.clearTitle, { recipient: found.whom }),
                  lead: texts.clearLead,
                  call: 'adminClearRecipient',
                  act: (reason) => call('adminClearRecipient', { body: { whom: found.whom, reason } }),
                })}
            </div>
          </Card>
          <Card id="timeline" title={texts.timeline}>
            {found.timeline.entries.length === 0 && <EmptyState icon={clockIcon} title={texts.nothing} />}
            <ul class="rows">
              {found.timeline.entries.map((entry, index) => (
                <EventRow key={index} event={entry} />
              ))}
            </ul>
            {found.timeline.next !== null && (
              <Button isBusy={task.isBusy} onClick={() => lookUp(found.whom, found.timeline.next ?? undefined)}>
                {texts.more}
              </Button>
            )}
          </Card>
          {dialog}
        </>
      )}
    </>
  );
}
