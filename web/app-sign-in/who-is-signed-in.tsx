// Says who is signed in, and lets the user sign out to use another account.
import { Notice } from '../parts/form-parts.tsx';
import { fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from '../sign-in/sign-in-texts.ts';

export type SignedInUser = { readonly phone: string | null; readonly email: string | null };

type Props = { readonly user: SignedInUser; readonly onLeave: () => Promise<void> };

export function WhoIsSignedIn({ user, onLeave }: Props) {
  const task = useTask(texts.offline);
  const account = formatPhone(user.phone ?? user.email ?? '');
  return (
    <>
      <p class="hint who">
        {fill(texts.app.signedInAs, { account })}{' '}
        <button type="button" class="link" onClick={() => task.run(onLeave)}>
          {texts.app.useAnother}
        </button>
      </p>
      <Notice kind="bad">{task.message}</Notice>
    </>
  );
}
