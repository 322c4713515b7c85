// The device token in HTTP: a cookie for browsers, a header for apps. If a request has both, the header wins.
import type { DeviceToken } from '../../auth/devices/device-token.ts';
import type { CookieWriter } from './cookies.ts';
import type { Call, EnvelopeAnswer } from './route.ts';

export const deviceHeader = 'device-token';
const deviceCookie = 'DV';

/** Scripts of a page can read the header. They could also read the token pair, which is worth more, in the body of a sign-in. */
export function deviceAnswer(
  cookies: CookieWriter,
  { text, lifeSeconds }: DeviceToken,
): Required<Pick<EnvelopeAnswer<'DV'>, 'cookies' | 'headers'>> {
  return { cookies: [cookies.device(text, lifeSeconds)], headers: { [deviceHeader]: text } };
}

/** Does not check the token: with an invalid one the device counts as unknown. */
export function readDeviceToken({ header, cookie }: Pick<Call, 'header' | 'cookie'>): string | undefined {
  const given = header(deviceHeader)?.trim();
  return given === undefined || given === '' ? cookie(deviceCookie) : given;
}
