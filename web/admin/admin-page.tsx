// Signs staff in, and shows the view that the URL names.
import { useEffect, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { signOutIcon } from '../parts/icons.ts';
import { fill } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useTask } from '../parts/use-task.ts';
import './admin-page.css';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { AppsView } from './apps-view.tsx';
import { AuditView } from './audit-view.tsx';
import { call, onEnded } from './call.ts';
import { EnterCard } from './enter-card.tsx';
import { LookUpView } from './look-up-view.tsx';
import { OverviewView } from './overview-view.tsx';
import { ServiceKeysView } from './service-keys-view.tsx';
import { SpendView } from './spend-view.tsx';
import { roleNames, roleNotes, setRole } from './staff-role.ts';
import { hasToken, type Place, takeToken, usePlace } from './use-place.ts';
import { UserView } from './user-view.tsx';
import { UsersView } from './users-view.tsx';

type Staff = Calls['adminMe']['data'];

const links = [
  ['#overview', texts.overview],
  ['#users', texts.users],
  ['#look-up', texts.lookUp],
  ['#spend', texts.spend],
  ['#apps', texts.apps],
  ['#service-keys', texts.serviceKeys],
  ['#audit', texts.audit],
] as const;

export function AdminPage() {
  /** Undefined while loading, null if no staff member is signed in. */
  const [staff, setStaff] = useState<Staff | null | undefined>();
  const [hasEnded, setEnded] = useState(false);
  const place = usePlace();
  if (staff) setRole(staff.role);
  const task = useTask(texts.offline);
  useEffect(() => {
    const enter = () => task.run(async () => setStaff(await findStaff()));
    enter();
    // If the page is already open, a sign-in link changes only the part after the #.
    const follow = () => hasToken() && enter();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (!staff) return;
    const end = () => {
      setEnded(true);
      setStaff(null);
    };
    onEnded(end);
    const timer = setTimeout(end, Math.max(0, Date.parse(staff.endsAt) - Date.now()));
    // When the page becomes visible again, check whether the session has ended, so that staff see it before they act.
    const check = () => {
      if (document.visibilityState === 'visible') call('adminMe').catch(() => undefined);
    };
    document.addEventListener('visibilitychange', check);
    return () => {
      onEnded(() => undefined);
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', check);
    };
  }, [staff]);
  const leave = () =>
    task.run(async () => {
      await call('adminLeave');
      setEnded(false);
      setStaff(null);
    });
  const current = place.view === 'user' ? '#users' : `#${place.view}`;
  if (staff === undefined && task.error === undefined) return <Loading current={current} />;
  if (!staff) {
    return (
      <PageFrame texts={texts} current="" width="narrow" links={[]}>
        <Notice kind="bad">{task.message}</Notice>
        <Notice kind="plain">{hasEnded ? texts.ended : ''}</Notice>
        <EnterCard onEnter={setStaff} />
      </PageFrame>
    );
  }
  return (
    <PageFrame texts={texts} current={current} width="wide" links={links}>
      <div class="staff">
        <p class="quiet-text">
          {fill(texts.signedInAs, { name: staff.name, time: formatTime(staff.endsAt) })}{' '}
          <span class="tag">{fill(texts.roleIs, { role: roleNames[staff.role] })}</span> {roleNotes[staff.role]}
        </p>
        <Button kind="quiet" icon={signOutIcon} isBusy={task.isBusy} onClick={leave}>
          {texts.signOut}
        </Button>
      </div>
      <Notice kind="bad">{task.message}</Notice>
      <View place={place} />
    </PageFrame>
  );
}

/** In the frame of the view, so that header and content keep their places. */
function Loading({ current }: { readonly current: string }) {
  return (
    <PageFrame texts={texts} current={current} width="wide" links={links}>
      <div class="card" aria-busy="true">
        <Skeleton shape="lines" count={5} />
      </div>
    </PageFrame>
  );
}

const views = {
  overview: OverviewView,
  users: UsersView,
  'look-up': LookUpView,
  spend: SpendView,
  apps: AppsView,
  'service-keys': ServiceKeysView,
  audit: AuditView,
} as const;

function View({ place }: { readonly place: Place }) {
  if (place.view === 'user') return <UserView key={place.id} id={place.id} />;
  const Chosen = views[place.view];
  return <Chosen />;
}

/** Signs in with the token of a link, or finds the current session. Returns null if there is neither. */
async function findStaff(): Promise<Staff | null> {
  const token = takeToken();
  try {
    return await (token === undefined ? call('adminMe') : call('adminEnter', { body: { token } }));
  } catch (error) {
    if (token === undefined && error instanceof GatehouseError && error.code === 'ADMIN_REQUIRED') return null;
    throw error;
  }
}
