// Asks the user whether the app may have what it asks for, in plain words. If the last sign-in is too old, asks for a code too.
import { useEffect, useRef, useState } from 'preact/hooks';
import { toGatehouseError } from '../../client/src/gatehouse-error.ts';
import { brand } from '../parts/brand.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { checkIcon, Icon } from '../parts/icon.tsx';
import { type Authorization, fill } from '../parts/page-data.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from '../sign-in/sign-in-texts.ts';
import { ProofStep } from './proof-step.tsx';
import { type SignedInUser, WhoIsSignedIn } from './who-is-signed-in.tsx';

type Props = {
  readonly authorization: Authorization;
  readonly user: SignedInUser;
  readonly onAllowed: () => void;
  readonly onLeave: () => Promise<void>;
};

export function ConsentStep({ authorization, user, onAllowed, onLeave }: Props) {
  const { app, scopes, ticket, cancelUrl } = authorization;
  const task = useTask(texts.offline);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const names = { app: app.name, brand: brand.name };
  const [isProofNeeded, setProofNeeded] = useState(false);
  const allow = () =>
    task.run(async () => {
      const isAllowed = await tryToAllow(ticket);
      setProofNeeded(!isAllowed);
      if (isAllowed) onAllowed();
    });
  if (isProofNeeded)
    return (
      <>
        <ProofStep
          asker={brand.name}
          user={user}
          onProved={() => {
            setProofNeeded(false);
            allow();
          }}
          onLeave={onLeave}
        />
        <a class="button quiet" href={cancelUrl}>
          {texts.cancel}
        </a>
      </>
    );
  return (
    <div class="step">
      <h1 tabIndex={-1} ref={heading}>
        {fill(texts.app.consentTitle, names)}
      </h1>
      <div class="scopes">
        <p>{fill(texts.app.consentLead, names)}</p>
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>
              <Icon of={checkIcon} />
              {texts.appScopes[scope]}
            </li>
          ))}
        </ul>
      </div>
      {!app.isFirstParty && <p class="hint">{fill(texts.app.consentForeign, names)}</p>}
      <WhoIsSignedIn user={user} onLeave={onLeave} />
      <Notice kind="bad">{task.message}</Notice>
      <div class="answers">
        <Button kind="primary" isBusy={task.isBusy} onClick={allow}>
          {texts.app.allow}
        </Button>
        <a class="button plain" href={cancelUrl}>
          {texts.app.deny}
        </a>
      </div>
      <p class="hint">{texts.app.consentEnd}</p>
    </div>
  );
}

/** False if the user must confirm the sign-in first. */
async function tryToAllow(ticket: string, isSecondTry = false): Promise<boolean> {
  try {
    await gatehouse.apps.allow(ticket);
    return true;
  } catch (failure) {
    const { code } = toGatehouseError(failure);
    if (code === 'RECENT_SIGN_IN_REQUIRED') return false;
    if (code !== 'BROWSER_SESSION_REQUIRED' || isSecondTry) throw failure;
    // This browser has lost the cookie SSO, or has one of another session. The refresh token sets the right one.
    await gatehouse.refresh();
    return tryToAllow(ticket, true);
  }
}
