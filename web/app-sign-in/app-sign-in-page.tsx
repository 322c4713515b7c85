// The sign-in page for an app: signs in, asks for a proof or for consent, and goes on to the app.
import { useEffect, useRef, useState } from 'preact/hooks';
import { endsSession } from '../../client/src/ends-session.ts';
import { toGatehouseError } from '../../client/src/gatehouse-error.ts';
import { AppMark } from '../parts/app-mark.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { LocalStrip } from '../parts/local-strip.tsx';
import { type Authorization, fill } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { SignInSteps } from '../sign-in/sign-in-steps.tsx';
import { texts } from '../sign-in/sign-in-texts.ts';
import { ConsentStep } from './consent-step.tsx';
import { GoingOn } from './going-on.tsx';
import { ProofStep } from './proof-step.tsx';
import type { SignedInUser } from './who-is-signed-in.tsx';

type State =
  | { readonly name: 'looking' | 'sign-in' | 'other tab' | 'going on' }
  | { readonly name: 'signed in'; readonly user: SignedInUser }
  | { readonly name: 'failed'; readonly message: string };

export function AppSignInPage({ authorization }: { readonly authorization: Authorization }) {
  const { app, need, continueUrl, cancelUrl } = authorization;
  const [state, setState] = useState<State>({ name: 'looking' });
  const goOn = () => {
    setState({ name: 'going on' });
    location.replace(continueUrl);
  };
  useEffect(() => void look(authorization, goOn).then((next) => next !== undefined && setState(next)), []);
  // Another tab may sign out or change the account. What this page shows must be whom it acts for.
  useEffect(() => gatehouse.on('signed-out', () => setState(afterSignOut)), []);
  const isShown = useRef(false);
  isShown.current = state.name === 'signed in';
  useEffect(() => gatehouse.on('signed-in', () => isShown.current && goOn()), []);
  const leave = async () => {
    await gatehouse.signOut();
    setState({ name: 'sign-in' });
  };
  return (
    <PageFrame texts={texts} current="" width="narrow" links={[]}>
      <LocalStrip texts={texts} />
      <div class="card sign-in for-app">
        <AppMark app={app} />
        {state.name === 'looking' && (
          <div class="looking">
            <Skeleton shape="lines" count={3} />
            <span class="visually-hidden" role="status">
              {texts.loading}
            </span>
          </div>
        )}
        {state.name === 'sign-in' && (
          <SignInSteps
            title={fill(texts.app.continueTo, { app: app.name })}
            {...(authorization.loginHint !== null && { hint: authorization.loginHint })}
            ticket={authorization.ticket}
            // The link of the mail goes on by itself, in its own tab.
            onSignedIn={(shown) => (shown === 'mailed' ? setState({ name: 'other tab' }) : goOn())}
          />
        )}
        {state.name === 'other tab' && (
          <div class="step">
            <Notice kind="good">{texts.app.otherTab}</Notice>
            <Button onClick={goOn}>{fill(texts.app.goOn, { app: app.name })}</Button>
          </div>
        )}
        {state.name === 'going on' && <GoingOn app={app} onGoOn={goOn} />}
        {state.name === 'signed in' && need === 'proof' && (
          <ProofStep asker={app.name} user={state.user} onProved={goOn} onLeave={leave} />
        )}
        {state.name === 'signed in' && need === 'consent' && (
          <ConsentStep authorization={authorization} user={state.user} onAllowed={goOn} onLeave={leave} />
        )}
        {state.name === 'failed' && (
          <div class="step">
            <Notice kind="bad">{state.message}</Notice>
            <Button kind="primary" onClick={() => location.reload()}>
              {fill(texts.app.goOn, { app: app.name })}
            </Button>
          </div>
        )}
        {state.name !== 'looking' &&
          state.name !== 'going on' &&
          !(state.name === 'signed in' && need === 'consent') && (
            <a class="button quiet" href={cancelUrl}>
              {texts.cancel}
            </a>
          )}
      </div>
    </PageFrame>
  );
}

/** The steps for a user who is signed in need one. */
function afterSignOut(state: State): State {
  return state.name === 'signed in' ? { name: 'sign-in' } : state;
}

/** Undefined if the page goes on at once, because the session was restored. */
async function look({ need }: Authorization, goOn: () => void): Promise<State | undefined> {
  try {
    if (need !== 'sign-in') return { name: 'signed in', user: await gatehouse.me() };
    // The service saw no session. If it still sees none after a restored one, the user must sign in.
    const isSecondTry = new URLSearchParams(location.search).has('ticket');
    if (isSecondTry || !(await gatehouse.isSignedIn())) return { name: 'sign-in' };
    await gatehouse.refresh();
    goOn();
    return undefined;
  } catch (failure) {
    const error = toGatehouseError(failure);
    if (need === 'sign-in' || endsSession(error)) return { name: 'sign-in' };
    return { name: 'failed', message: error.code === 'NETWORK' ? texts.offline : error.message };
  }
}
