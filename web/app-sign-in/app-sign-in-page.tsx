// The sign-in page for an app: signs in, asks for a proof or for consent, and goes on to the app.
import { useEffect, useRef, useState } from 'preact/hooks';
import { endsSession } from '../../client/src/ends-session.ts';
import { AppMark } from '../parts/app-mark.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { LocalStrip } from '../parts/local-strip.tsx';
import { type Authorization, fill } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { useLoading } from '../parts/use-loading.ts';
import { Looking } from '../sign-in/looking.tsx';
import { SignInSteps } from '../sign-in/sign-in-steps.tsx';
import { texts } from '../sign-in/sign-in-texts.ts';
import { ConsentStep } from './consent-step.tsx';
import { GoingOn } from './going-on.tsx';
import { ProofStep } from './proof-step.tsx';
import type { SignedInUser } from './who-is-signed-in.tsx';

type State =
  | { readonly name: 'looking' | 'sign-in' | 'other tab' | 'going on' }
  | { readonly name: 'signed in'; readonly user: SignedInUser };

export function AppSignInPage({ authorization }: { readonly authorization: Authorization }) {
  const { app, need, continueUrl, cancelUrl } = authorization;
  const [state, setState] = useState<State>({ name: 'looking' });
  const goOn = () => {
    setState({ name: 'going on' });
    location.replace(continueUrl);
  };
  const looking = useLoading(async () => {
    const next = await look(authorization);
    if (next.name === 'going on') goOn();
    else setState(next);
  }, texts.offline);
  useEffect(looking.load, []);
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
        {state.name === 'looking' && <Looking loading={looking} onForm={() => setState({ name: 'sign-in' })} />}
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
        {(state.name !== 'looking' || looking.error !== undefined) &&
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

/** Fails while the service does not answer: only it knows whether the session has ended. */
async function look({ need }: Authorization): Promise<State> {
  try {
    if (need !== 'sign-in') return { name: 'signed in', user: await gatehouse.me() };
    // The service saw no session. If it still sees none after a restored one, the user must sign in.
    const isSecondTry = new URLSearchParams(location.search).has('ticket');
    if (isSecondTry || !(await gatehouse.isSignedIn())) return { name: 'sign-in' };
    await gatehouse.refresh();
    return { name: 'going on' };
  } catch (failure) {
    if (endsSession(failure)) return { name: 'sign-in' };
    throw failure;
  }
}
