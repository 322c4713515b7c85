// One user: details, actions, timeline, sessions, messages, limits and files.
import { useEffect, useState } from 'preact/hooks';
import { formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { backIcon } from '../parts/icons.ts';
import { LoadNotice } from '../parts/load-notice.tsx';
import { fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { useLoading } from '../parts/use-loading.ts';
import type { StaffAction } from './act-dialog.tsx';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { FilesCard } from './files-card.tsx';
import { hasLimits, LimitsList } from './limits-list.tsx';
import { Card } from './list-parts.tsx';
import { MessagesCard } from './messages-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import type { ShownUser } from './shown-user.ts';
import { TimelineCard } from './timeline-card.tsx';
import { useActions } from './use-actions.tsx';
import { actionsOn, nameOf } from './user-actions.ts';

export function UserView({ id }: { readonly id: string }) {
  const [shown, setShown] = useState<ShownUser | undefined>();
  const [revealed, setRevealed] = useState<Calls['adminReveal']['data'] | undefined>();
  /** Raised after each action, so that every list reloads. */
  const [version, setVersion] = useState(0);
  const loading = useLoading(async () => setShown(await call('adminShowUser', { at: { id } })), texts.offline);
  useEffect(loading.load, [version]);
  const reload = () => setVersion((count) => count + 1);
  const { button, dialog, notice } = useActions(reload);
  if (shown === undefined) {
    return (
      <>
        <Back />
        <LoadNotice of={loading} />
        {loading.error === undefined && <Skeleton shape="lines" count={6} />}
      </>
    );
  }
  const name = nameOf(shown.user);
  const reveal: StaffAction = {
    label: texts.reveal,
    title: fill(texts.revealTitle, { user: name }),
    lead: texts.revealLead,
    call: 'adminReveal',
    act: async (reason) => setRevealed(await call('adminReveal', { at: { id }, body: { reason } })),
  };
  const clear: StaffAction = {
    label: texts.clearLimits,
    title: fill(texts.clearTitle, { recipient: name }),
    lead: texts.clearLead,
    call: 'adminClearLimits',
    act: (reason) => call('adminClearLimits', { at: { id }, body: { reason } }),
  };
  return (
    <>
      <Back />
      <h1>
        {texts.user} <bdi dir="ltr">{name}</bdi>
      </h1>
      <section class="card stack" aria-label={texts.user}>
        <FactList shown={shown} revealed={revealed} />
        {notice}
        <div class="row">{[reveal, ...actionsOn(shown)].map((action) => button(action))}</div>
      </section>
      <TimelineCard id={id} version={version} />
      <SessionsCard id={id} name={name} sessions={shown.sessions} revealed={revealed?.sessions} onDone={reload} />
      <MessagesCard id={id} version={version} onDone={reload} />
      <Card id="limits" title={texts.limits}>
        <LimitsList limits={shown.limits} />
        {hasLimits(shown.limits) && <div class="row">{button(clear)}</div>}
      </Card>
      <FilesCard id={id} name={name} usage={shown.usage} version={version} onDone={reload} />
      {dialog}
    </>
  );
}

function Back() {
  return (
    <p>
      <a class="back" href="#users">
        <Icon of={backIcon} />
        {texts.back}
      </a>
    </p>
  );
}

type FactsProps = { readonly shown: ShownUser; readonly revealed: Calls['adminReveal']['data'] | undefined };

/** The time is not known while the change waits to be announced again after a restore. */
function writeChange({ phone, effectiveAt }: NonNullable<ShownUser['phoneChange']>): string {
  const number = formatPhone(phone);
  return effectiveAt === null ? number : fill(texts.scheduledFor, { number, time: formatTime(effectiveAt) });
}

/** Every field of the user, in the order of the page, with its name. Undefined: it is not shown. */
type Facts = Readonly<
  Record<keyof ShownUser['user'] | 'phoneChange' | 'lastUsedAt', readonly [name: string, value: string] | undefined>
>;

/** What staff have revealed is shown in full, as far as it has not changed since. */
function FactList({ shown, revealed }: FactsProps) {
  const { blockedAt, createdAt, id } = shown.user;
  const { phone, email } = revealed?.user ?? shown.user;
  const state = blockedAt === null ? texts.active : fill(texts.blocked, { time: formatTime(blockedAt) });
  const change = shown.phoneChange;
  const isSame = change !== null && revealed?.phoneChange?.effectiveAt === change.effectiveAt;
  const next = isSame ? revealed.phoneChange : change;
  const isLatin = (value: string | undefined) =>
    [phone === null ? null : formatPhone(phone), email, id].some((one) => one === value);
  const facts: Facts = {
    phone: [texts.phone, phone === null ? texts.none : formatPhone(phone)],
    phoneChange: next === null || next === undefined ? undefined : [texts.scheduledPhone, writeChange(next)],
    email: [texts.email, email ?? texts.none],
    blockedAt: [texts.state, state],
    createdAt: [texts.since, formatTime(createdAt)],
    lastUsedAt: [texts.lastUse, formatTime(shown.lastUsedAt)],
    id: [texts.id, id],
  };
  const rows = Object.values(facts).filter((fact) => fact !== undefined);
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={name === texts.id ? 'id' : undefined}>
            <bdi dir={isLatin(value) ? 'ltr' : 'auto'}>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
