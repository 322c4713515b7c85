// Walks through signing in: a phone number, then its code; or an e-mail address, then a look into the mailbox.
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { LocalStrip } from '../parts/local-strip.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';
import { MailedStep } from './mailed-step.tsx';
import { goOn } from './next-page.ts';
import { PhoneStep } from './phone-step.tsx';
import './sign-in-page.css';
import { texts } from './sign-in-texts.ts';

type Step =
  | { readonly name: 'phone' | 'email' }
  | { readonly name: 'code'; readonly phone: string; readonly newestBefore: string | undefined }
  | { readonly name: 'mailed'; readonly email: string };

/** The page that was left because the session had been ended says so here. */
const wasEnded = new URLSearchParams(location.search).get('why') === 'ended';

export function SignInPage() {
  const [step, setStep] = useState<Step>({ name: 'phone' });
  const [typed, setTyped] = useState({ phone: '', email: '' });
  useEffect(() => {
    void gatehouse.isSignedIn().then((isSignedIn) => isSignedIn && goOn());
    return gatehouse.on('signed-in', goOn);
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
            onSent={(phone, newestBefore) => setStep({ name: 'code', phone, newestBefore })}
            onEmail={() => setStep({ name: 'email' })}
          />
        )}
        {step.name === 'code' && <CodeStep {...step} onChange={() => setStep({ name: 'phone' })} />}
        {step.name === 'email' && (
          <EmailStep
            typed={typed.email}
            onType={(email) => setTyped({ ...typed, email })}
            onSent={(email) => setStep({ name: 'mailed', email })}
            onPhone={() => setStep({ name: 'phone' })}
          />
        )}
        {step.name === 'mailed' && <MailedStep email={step.email} onChange={() => setStep({ name: 'email' })} />}
      </div>
    </PageFrame>
  );
}
