// Asks the user whether the app may have what it asks for, in plain words.
import { useEffect, useRef } from 'preact/hooks';
import { brand } from '../parts/brand.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { checkIcon, Icon } from '../parts/icon.tsx';
import { type Authorization, fill } from '../parts/page-data.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from '../sign-in/sign-in-texts.ts';
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
  const allow = () =>
    task.run(async () => {
      await gatehouse.apps.allow(ticket);
      onAllowed();
    });
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
