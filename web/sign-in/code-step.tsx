// Step two: the code. It is submitted as soon as it has six digits.
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { CodeForm } from '../parts/code-form.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { texts } from './sign-in-texts.ts';
import type { CodeWanted } from './use-step.ts';

type Props = CodeWanted & {
  readonly onChange: () => void;
  /** The code was right, but nobody has used the account of this number for a long time. */
  readonly onRecycled: (ticket: string) => void;
};

export function CodeStep({ phone, newestBefore, resendAt, onChange, onRecycled }: Props) {
  const signIn = async (digits: string) => {
    try {
      // The `signed-in` event leads to the next page.
      await gatehouse.phone.signIn(phone, digits);
    } catch (failure) {
      if (!(failure instanceof GatehouseError) || failure.proofTicket === undefined) throw failure;
      onRecycled(failure.proofTicket);
    }
  };
  return (
    <div class="step">
      <h1>{texts.codeTitle}</h1>
      <p class="lead">
        {fill(texts.sentTo, { recipient: formatPhone(phone) })}{' '}
        <button type="button" class="link" onClick={onChange}>
          {texts.change}
        </button>
      </p>
      <CodeForm
        texts={texts}
        submit={texts.signIn}
        recipient={phone}
        channel="sms"
        newestBefore={newestBefore}
        resendAt={resendAt}
        send={() => gatehouse.phone.sendCode(phone)}
        confirm={signIn}
      />
    </div>
  );
}
