// Checks a sign-in link. Signs in at once in the browser that requested it, and after a click in any other browser.
import { useEffect, useRef, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import type { Texts } from '../../locales/languages.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { mayPass } from '../parts/may-pass.ts';
import { fill, pageTexts } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';

type Pages = Texts['pages'];

const texts = pageTexts<Pages['common'] & Pages['link']>();

type State =
  | { readonly name: 'checking' | 'signing-in' }
  /** An app on the device opens beside the page, and in some browsers only after a click. */
  | { readonly name: 'done'; readonly continueTo: string | null }
  /** The account is undefined if the link could not be checked yet. */
  | {
      readonly name: 'asking';
      readonly account: string | undefined;
      readonly app?: string | null;
      readonly message?: string;
    }
  /** `continueTo`: the sign-in of the app that the link belonged to. */
  | {
      readonly name: 'refused';
      readonly title: string;
      readonly message: string;
      readonly continueTo: string | undefined;
    };

export function LinkPage({ token }: { readonly token: string }) {
  const [state, setState] = useState<State>({ name: 'checking' });
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [state.name]);
  const signIn = async (account: string, app: string | null) => {
    setState({ name: 'signing-in' });
    try {
      const { continueTo } = await gatehouse.email.signIn(token);
      setState({ name: 'done', continueTo });
      // An app that the user signs in to, or the account page.
      location.replace(continueTo ?? '/account');
    } catch (failure) {
      setState(afterFailure(failure, account, app));
    }
  };
  const check = async () => {
    setState({ name: 'checking' });
    try {
      const { account, sameBrowser, app } = await gatehouse.email.checkLink(token);
      if (sameBrowser) await signIn(account, app);
      else setState({ name: 'asking', account, app });
    } catch (failure) {
      setState(afterFailure(failure, undefined, null));
    }
  };
  useEffect(() => void check(), []);
  const proceed = (account: string | undefined, app: string | null = null) =>
    account === undefined ? check() : signIn(account, app);
  return (
    <PageFrame texts={texts} current="/login/link" width="narrow">
      <div class="card step">
        <h1>{state.name === 'refused' ? state.title : texts.title}</h1>
        <Notice kind="plain">{describe(state)}</Notice>
        {state.name === 'asking' && (
          <>
            {state.account !== undefined && (
              <p class="long">
                {texts.confirm}{' '}
                <strong>
                  <bdi>{state.account}</bdi>
                </strong>
              </p>
            )}
            {typeof state.app === 'string' && <p>{fill(texts.toApp, { app: state.app })}</p>}
            <Notice kind="bad">{state.message}</Notice>
            <Button kind="primary" ref={button} onClick={() => void proceed(state.account, state.app)}>
              {texts.signIn}
            </Button>
          </>
        )}
        {state.name === 'done' && state.continueTo !== null && (
          <a class="button primary" href={state.continueTo}>
            {texts.goOn}
          </a>
        )}
        {state.name === 'refused' && (
          <>
            <Notice kind="bad">{state.message}</Notice>
            <a class="button primary" href={`${state.continueTo ?? '/'}#email`}>
              {state.continueTo === undefined ? texts.again : texts.againInApp}
            </a>
          </>
        )}
      </div>
    </PageFrame>
  );
}

function describe({ name }: State): string | undefined {
  if (name === 'checking' || name === 'signing-in') return texts.checking;
  return name === 'done' ? texts.done : undefined;
}

/** The user can try again after a temporary failure, but not after a refusal. */
function afterFailure(failure: unknown, account: string | undefined, app: string | null): State {
  if (!(failure instanceof GatehouseError)) throw failure;
  const message = failure.code === 'NETWORK' ? texts.offline : failure.message;
  if (mayPass(failure)) return { name: 'asking', account, app, message };
  const title = failure.code === 'LINK_EXPIRED' ? texts.expiredTitle : texts.refusedTitle;
  return { name: 'refused', title, message, continueTo: failure.continueTo };
}
