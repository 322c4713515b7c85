// The calls that change the phone number of the signed-in user, at once or at a later time.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import type { AskKeeper } from './ask-keeper.ts';
import type { Captcha } from './captcha.ts';
import type { DeviceKeeper } from './device-keeper.ts';
import { retry } from './retry.ts';
import type { Wire } from './wire.ts';

/** The number that replaces the old one, and when. */
export type ScheduledPhone = NonNullable<Calls['showPhoneChange']['data']>;

type Parts = {
  readonly wire: Wire;
  readonly access: Access;
  readonly captcha: Captcha;
  readonly asks: AskKeeper;
  readonly devices: DeviceKeeper;
};

export function createPhoneCalls({ wire, access, captcha, asks, devices }: Parts) {
  return {
    /**
     * Sends a code to the number that the signed-in user wants to have. Needs a recent sign-in: see `withProof`.
     * @example
     * await gatehouse.phone.sendChangeCode('+12025550199');
     */
    sendChangeCode: async (phone: string): Promise<void> => {
      const body = { recipient: phone };
      await captcha.run('send-phone-code', (headers) =>
        access.run((authorization) =>
          wire('sendPhoneChangeOtp', {
            body,
            headers: { ...authorization, ...headers, ...asks.requestHeaders },
            onHeaders: asks.keep,
          }),
        ),
      );
    },
    /**
     * Changes the number of the account. Needs the code that was sent to it, and a recent sign-in: see `withProof`. Returns the
     * account, and ends all other sessions. Or it returns when the change takes effect: a user who was proved by e-mail must wait.
     * @example
     * const changed = await gatehouse.phone.change('+12025550199', '482913');
     * if ('effectiveAt' in changed) console.log(`Your number changes on ${changed.effectiveAt}.`);
     */
    change: async (phone: string, code: string): Promise<Calls['changePhone']['data']> => {
      const own = { ...(await asks.headers()), ...(await devices.headers()) };
      const body = { phone, otp: code };
      const changed = await access.run((headers) =>
        wire('changePhone', { body, headers: { ...headers, ...own }, onHeaders: devices.keep }),
      );
      await asks.forget();
      return changed;
    },
    /**
     * Returns the scheduled change of the phone number of the signed-in user, or null: the new number and when it takes effect.
     * @example
     * const change = await gatehouse.phone.scheduled();
     * if (change) console.log(`${change.phone} from ${change.effectiveAt}`);
     */
    scheduled: (): Promise<ScheduledPhone | null> =>
      access.run((headers) => retry(() => wire('showPhoneChange', { headers }))),
    /**
     * Cancels the scheduled change of the phone number. Succeeds if there is none.
     * @example
     * await gatehouse.phone.cancelChange();
     */
    cancelChange: async (): Promise<void> => {
      await access.run((headers) => wire('cancelPhoneChange', { headers }));
    },
  };
}
