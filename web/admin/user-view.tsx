// One person: who they are, what may be done, where they are signed in, what holds them back, what happened.
import { useEffect, useState } from 'preact/hooks';
import { fill } from '../parts/facts.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { useTask } from '../parts/use-task.ts';
import type { Deed } from './act-dialog.tsx';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { FilesCard } from './files-card.tsx';
import { LimitsList } from './limits-list.tsx';
import { Card } from './list-parts.tsx';
import { MessagesCard } from './messages-card.tsx';
import { saveJson } from './save-json.ts';
import { SessionsCard } from './sessions-card.tsx';
import type { ShownUser } from './shown-user.ts';
import { TimelineCard } from './timeline-card.tsx';
import { useDeeds } from './use-deeds.tsx';

type UserRecord = ShownUser['user'];

export function UserView({ id }: { readonly id: string }) {
  const [shown, setShown] = useState<ShownUser | undefined>();
  const [revealed, setRevealed] = useState<Calls['adminReveal']['data'] | undefined>();
  /** Raised whenever something was done, so that every list looks again. */
  const [version, setVersion] = useState(0);
  const task = useTask(texts.offline);
  const load = () => task.run(async () => setShown(await call('adminShowUser', { at: { id } })));
  useEffect(load, [version]);
  const look = () => setVersion((count) => count + 1);
  const { button, dialog, notice } = useDeeds(look);
  if (shown === undefined) {
    return (
      <>
        <Back />
        <Notice kind="bad">{task.message}</Notice>
        {task.error !== undefined && <Button onClick={load}>{texts.tryAgain}</Button>}
      </>
    );
  }
  const reveal: Deed = {
    label: texts.reveal,
    act: async (reason) => setRevealed(await call('adminReveal', { at: { id }, body: { reason } })),
  };
  const clear: Deed = {
    label: texts.clearLimits,
    act: (reason) => call('adminClearLimits', { at: { id }, body: { reason } }),
  };
  return (
    <>
      <Back />
      <h1>{texts.user}</h1>
      <section class="card stack" aria-label={texts.user}>
        <Facts user={revealed?.user ?? shown.user} blockedAt={shown.user.blockedAt} />
        {notice}
        <div class="row">{[reveal, ...deedsOn(shown.user)].map((deed) => button(deed))}</div>
      </section>
      <TimelineCard id={id} version={version} />
      <SessionsCard id={id} sessions={shown.sessions} revealed={revealed?.sessions} onDone={look} />
      <MessagesCard id={id} version={version} onDone={look} />
      <Card id="limits" title={texts.limits}>
        <LimitsList limits={shown.limits} />
        <div class="row">{button(clear)}</div>
      </Card>
      <FilesCard id={id} usage={shown.usage} version={version} onDone={look} />
      {dialog}
    </>
  );
}

function Back() {
  return (
    <p>
      <a href="#users">{texts.back}</a>
    </p>
  );
}

function Facts({ user, blockedAt }: { readonly user: UserRecord; readonly blockedAt: string | null }) {
  const state = blockedAt === null ? texts.active : fill(texts.blocked, { time: formatTime(blockedAt) });
  const rows = [
    [texts.phone, user.phone],
    [texts.email, user.email ?? texts.none],
    [texts.state, state],
    [texts.since, formatTime(user.createdAt)],
    [texts.id, user.id],
  ] as const;
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function deedsOn({ id, blockedAt }: UserRecord): Deed[] {
  const at = { id };
  const block: Deed =
    blockedAt === null
      ? { label: texts.block, act: (reason) => call('adminBlock', { at, body: { reason } }) }
      : { label: texts.unblock, act: (reason) => call('adminUnblock', { at, body: { reason } }) };
  return [
    block,
    { label: texts.signOutAll, act: (reason) => call('adminSignOut', { at, body: { reason } }) },
    {
      label: texts.exportData,
      act: async (reason) => saveJson(`${id}.json`, await call('adminExport', { at, body: { reason } })),
    },
    {
      label: texts.deleteUser,
      lead: texts.deleteLead,
      confirm: id.slice(-4),
      act: async (reason, confirm) => {
        await call('adminDeleteUser', { at, body: { reason, confirm } });
        location.hash = '#users';
      },
    },
  ];
}
