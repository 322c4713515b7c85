// Calls that need a recent sign-in: sends a code to the user's own phone or e-mail address, and repeats the call after the proof.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import type { AskKeeper } from './ask-keeper.ts';
import type { Captcha } from './captcha.ts';
import type { DeviceKeeper } from './device-keeper.ts';
import { type ErrorCode, GatehouseError } from './gatehouse-error.ts';
import type { Wire } from './wire.ts';

export type ProofWay = Calls['sendProofOtp']['body']['via'];

/** What the user is asked for. The code has been sent before the first question, unless `error` says why not. */
export type CodeWanted = {
  readonly via: ProofWay;
  /** Why the last code was refused, or why none could be sent. */
  readonly error: GatehouseError | undefined;
  /** Sends the code again, or by another channel. */
  readonly send: (via?: ProofWay) => Promise<void>;
};

/** Returns the code that the user entered, or nothing if the user cancelled. Is called again if the code was refused. */
export type AskForCode = (wanted: CodeWanted) => Promise<string | null | undefined> | string | null | undefined;

type Parts = {
  readonly wire: Wire;
  readonly access: Access;
  readonly captcha: Captcha;
  readonly asks: AskKeeper;
  readonly devices: DeviceKeeper;
};

/** After these the user can wait, use an earlier code or choose the other channel. Every other failure ends the proof. */
const askDespite: readonly ErrorCode[] = [
  'OTP_RESEND_TOO_SOON',
  'OTP_SEND_LIMIT',
  'SMS_SUSPENDED',
  'PHONE_NOT_SUPPORTED',
];

/** After these, and after an outage, the user can enter a code again. Every other failure ends the proof. */
const askAgainAfter: readonly ErrorCode[] = [
  'OTP_INVALID',
  'OTP_EXPIRED',
  'OTP_ATTEMPTS_EXCEEDED',
  'REQUEST_INVALID',
  'RATE_LIMITED',
  'NETWORK',
];

export function createProofCalls({ wire, access, captcha, asks, devices }: Parts) {
  const send = async (via: ProofWay): Promise<void> => {
    await captcha.run('send-proof-code', (headers) =>
      access.run((authorization) =>
        wire('sendProofOtp', {
          body: { via },
          headers: { ...authorization, ...headers, ...asks.requestHeaders },
          onHeaders: asks.keep,
        }),
      ),
    );
  };
  const confirm = async (code: string): Promise<void> => {
    const own = { ...(await asks.headers()), ...(await devices.headers()) };
    await access.replace((headers) => wire('proveSession', { body: { otp: code }, headers: { ...headers, ...own } }));
    await asks.forget();
  };

  /** Returns whether the user was proved. */
  const prove = async (askForCode: AskForCode, wantedVia: ProofWay | undefined): Promise<boolean> => {
    let via = wantedVia ?? 'phone';
    let error: GatehouseError | undefined;
    const sendBy = async (next: ProofWay = via) => {
      await send(next);
      via = next;
    };
    const sendFirst = () =>
      sendBy().catch((thrown: unknown) => {
        // The account has no phone number.
        if (wantedVia === undefined && isFailure(thrown, ['REQUEST_INVALID'])) return sendBy('email');
        throw thrown;
      });
    await sendFirst().catch((thrown: unknown) => {
      if (!isFailure(thrown, askDespite)) throw thrown;
      error = thrown;
    });
    for (;;) {
      const code = await askForCode({ via, error, send: sendBy });
      if (code === undefined || code === null || code === '') return false;
      try {
        await confirm(code);
        return true;
      } catch (thrown) {
        if (!isFailure(thrown, askAgainAfter) && !isOutage(thrown)) throw thrown;
        error = thrown;
      }
    }
  };

  return {
    proof: {
      /**
       * Sends a code to the signed-in user's own phone, or to the e-mail address if one is bound.
       * @example
       * await gatehouse.proof.send('phone');
       */
      send,
      /**
       * Proves with the code that the user is there. Calls that need a recent sign-in work afterwards.
       * @example
       * await gatehouse.proof.confirm('482913');
       */
      confirm,
    },
    /**
     * Runs a call. If it needs a recent sign-in, sends a code (by `via`; by default to the phone, or by e-mail if the account has no
     * number), asks the user for it and runs the call again. If the user cancels, the call fails with `RECENT_SIGN_IN_REQUIRED`.
     * @example
     * await gatehouse.withProof(
     *   () => gatehouse.deleteAccount(),
     *   ({ error }) => prompt(error?.message ?? 'Enter the code that we sent to your phone.'),
     * );
     */
    withProof: async <T>(call: () => Promise<T>, askForCode: AskForCode, via?: ProofWay): Promise<T> => {
      try {
        return await call();
      } catch (thrown) {
        if (!isFailure(thrown, ['RECENT_SIGN_IN_REQUIRED']) || !(await prove(askForCode, via))) throw thrown;
        return call();
      }
    },
  };
}

function isOutage(thrown: unknown): thrown is GatehouseError {
  return thrown instanceof GatehouseError && thrown.status >= 500;
}

function isFailure(thrown: unknown, codes: readonly ErrorCode[]): thrown is GatehouseError {
  return thrown instanceof GatehouseError && codes.includes(thrown.code);
}
