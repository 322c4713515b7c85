// One user: details, actions, timeline, sessions, messages, limits and files.
import { useEffect, useState } from 'preact/hooks';
import { fill } from '../parts/facts.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { useTask } from '../parts/use-task.ts';
import type { StaffAction } from './act-dialog.tsx';
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
import { useActions } from './use-deeds.tsx';

type UserRecord = ShownUser['user'];

export function UserView({ id }: { readonly id: string }) {
  const [shown, setShown] = useState<ShownUser | undefined>();
  const [revealed, setRevealed] = useState<Calls['adminReveal']['data'] | undefined>();
  /** Raised after each action, so that every list reloads. */
  const [version, setVersion] = useState(0);
  const task = useTask(texts.offline);
  const load = () => task.run(async () => setShown(await call('adminShowUser', { at: { id } })));
  useEffect(load, [version]);
  const reload = () => setVersion((count) => count + 1);
  const { button, dialog, notice } = useActions(reload);
  if (shown === undefined) {
    return (
      <>
        <Back />
        <Notice kind="bad">{task.message}</Notice>
        {task.error !== undefined && <Button onClick={load}>{texts.tryAgain}</Button>}
      </>
    );
  }
  const { phone } = shown.user;
  const reveal: StaffAction = {
    label: texts.reveal,
    title: fill(texts.revealTitle, { user: phone }),
    lead: texts.revealLead,
    act: async (reason) => setRevealed(await call('adminReveal', { at: { id }, body: { reason } })),
  };
  const clear: StaffAction = {
    label: texts.clearLimits,
    title: fill(texts.clearTitle, { recipient: phone }),
    lead: texts.clearLead,
    act: (reason) => call('adminClearLimits', { at: { id }, body: { reason } }),
  };
  return (
    <>
      <Back />
      <h1>
        {texts.user} {phone}
      </h1>
      <section class="card stack" aria-label={texts.user}>
        <Facts user={revealed?.user ?? shown.user} blockedAt={shown.user.blockedAt} />
        {notice}
        <div class="row">{[reveal, ...actionsOn(shown.user)].map((action) => button(action))}</div>
      </section>
      <TimelineCard id={id} version={version} />
      <SessionsCard id={id} sessions={shown.sessions} revealed={revealed?.sessions} onDone={reload} />
      <MessagesCard id={id} version={version} onDone={reload} />
      <Card id="limits" title={texts.limits}>
        <LimitsList limits={shown.limits} />
        <div class="row">{button(clear)}</div>
      </Card>
      <FilesCard id={id} usage={shown.usage} version={version} onDone={reload} />
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

function actionsOn({ id, phone, blockedAt }: UserRecord): StaffAction[] {
  const at = { id };
  const user = { user: phone };
  const block: StaffAction = {
    label: texts.block,
    title: fill(texts.blockTitle, user),
    lead: texts.blockLead,
    act: (reason) => call('adminBlock', { at, body: { reason } }),
  };
  const unblock: StaffAction = {
    label: texts.unblock,
    title: fill(texts.unblockTitle, user),
    lead: texts.unblockLead,
    act: (reason) => call('adminUnblock', { at, body: { reason } }),
  };
  return [
    blockedAt === null ? block : unblock,
    {
      label: texts.signOutAll,
      title: fill(texts.signOutTitle, user),
      lead: texts.signOutLead,
      act: (reason) => call('adminSignOut', { at, body: { reason } }),
    },
    {
      label: texts.exportData,
      title: fill(texts.exportTitle, user),
      lead: texts.exportLead,
      act: async (reason) => saveJson(`${id}.json`, await call('adminExport', { at, body: { reason } })),
    },
    {
      label: texts.deleteUser,
      title: fill(texts.deleteTitle, user),
      lead: texts.deleteLead,
      confirm: id.slice(-4),
      act: async (reason, confirm) => {
        await call('adminDeleteUser', { at, body: { reason, confirm } });
        location.hash = '#users';
      },
    },
  ];
}
