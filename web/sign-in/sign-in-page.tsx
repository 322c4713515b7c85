// The steps of sign-in: phone number and code, or e-mail address and a link.
import { useEffect, useState } from 'preact/hooks';
import { facts } from '../parts/facts.ts';
import { Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { LocalStrip } from '../parts/local-strip.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { firstResendAt } from '../parts/use-resend.ts';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';
import { MailedStep } from './mailed-step.tsx';
import { nextPage } from './next-page.ts';
import { PhoneStep } from './phone-step.tsx';
import './sign-in-page.css';
import { texts } from './sign-in-texts.ts';
import { useStep } from './use-step.ts';

/** The account page redirects here with `why=ended` if the service ended the session. */
const wasEnded = new URLSearchParams(location.search).get('why') === 'ended';

export function SignInPage() {
  const [step, go] = useStep();
  const [typed, setTyped] = useState(() => ({
    phone: step.name === 'code' ? step.phone : '',
    email: step.name === 'mailed' ? step.email : '',
  }));
  useEffect(() => {
    void gatehouse.isSignedIn().then((isSignedIn) => isSignedIn && openNextPage());
    return gatehouse.on('signed-in', openNextPage);
  }, []);
  return (
    <PageFrame texts={texts} current="/" width="narrow">
      <LocalStrip texts={texts} />
      {wasEnded && <Notice kind="plain">{texts.wasEnded}</Notice>}
      <div class="card sign-in">
        {step.name === 'phone' && (
          <PhoneStep
            typed={typed.phone}
            onType={(phone) => setTyped({ ...typed, phone })}
            onSent={(wanted) => go({ name: 'code', ...wanted })}
            onEmail={() => go({ name: 'email' })}
          />
        )}
        {step.name === 'code' && <CodeStep {...step} onChange={() => go({ name: 'phone' })} />}
        {step.name === 'email' && (
          <EmailStep
            typed={typed.email}
            onType={(email) => setTyped({ ...typed, email })}
            onSent={(email) => go({ name: 'mailed', email, resendAt: firstResendAt(facts.resendAfterSeconds.mail) })}
            onPhone={() => go({ name: 'phone' })}
          />
        )}
        {step.name === 'mailed' && <MailedStep {...step} onChange={() => go({ name: 'email' })} />}
      </div>
    </PageFrame>
  );
}

function openNextPage(): void {
  location.replace(nextPage(location.search, location.origin));
}
