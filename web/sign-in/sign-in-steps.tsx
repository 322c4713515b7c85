// The steps of sign-in, one at a time: phone number and code, or e-mail address and a link.
import { useEffect, useRef, useState } from 'preact/hooks';
import { gatehouse } from '../parts/gatehouse.ts';
import { typedBefore } from '../parts/reload-in.ts';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';
import { MailedStep } from './mailed-step.tsx';
import { PhoneStep } from './phone-step.tsx';
import { RecycledStep } from './recycled-step.tsx';
import './sign-in-page.css';
import { type Step, useStep } from './use-step.ts';

type Props = {
  readonly title: string;
  /** A phone number or an e-mail address to begin with. */
  readonly hint?: string;
  /** The sign-in of an app that a link goes on with. */
  readonly ticket?: string;
  /** The user signed in here, or in another tab, while this step was shown. */
  readonly onSignedIn: (shown: Step['name']) => void;
};

export function SignInSteps({ title, hint = '', ticket, onSignedIn }: Props) {
  const isAddress = hint.includes('@');
  const [step, go] = useStep(isAddress ? 'email' : 'phone');
  const [typed, setTyped] = useState(() => ({
    phone: step.name === 'code' ? step.phone : isAddress ? '' : hint,
    email: step.name === 'mailed' ? step.email : isAddress ? hint : '',
    ...typedBefore(),
  }));
  const shown = useRef(step.name);
  shown.current = step.name;
  useEffect(() => gatehouse.on('signed-in', () => onSignedIn(shown.current)), []);
  return (
    <>
      {step.name === 'phone' && (
        <PhoneStep
          title={title}
          typed={typed.phone}
          onType={(phone) => setTyped({ ...typed, phone })}
          onSent={(wanted) => go({ name: 'code', ...wanted })}
          onEmail={() => go({ name: 'email' })}
        />
      )}
      {step.name === 'code' && (
        <CodeStep
          {...step}
          onChange={() => go({ name: 'phone' })}
          onRecycled={(proof) => go({ name: 'recycled', phone: step.phone, ticket: proof })}
        />
      )}
      {step.name === 'recycled' && (
        <RecycledStep {...step} onEmail={() => go({ name: 'email' })} onPhone={() => go({ name: 'phone' })} />
      )}
      {step.name === 'email' && (
        <EmailStep
          ticket={ticket}
          typed={typed.email}
          onType={(email) => setTyped({ ...typed, email })}
          onSent={(email, resendAt) => go({ name: 'mailed', email, resendAt })}
          onPhone={() => go({ name: 'phone' })}
        />
      )}
      {step.name === 'mailed' && <MailedStep {...step} ticket={ticket} onChange={() => go({ name: 'email' })} />}
    </>
  );
}
