// The shared step of every sign-in: reads the device token, and drafts the notice in case the device is new to the user.
import type { Language } from '../../kernel/text/language.ts';
import { nameDevice } from '../../kernel/text/name-device.ts';
import type { AuthDeps } from '../deps.ts';
import { type KnownDevice, readDevice } from '../devices/device-token.ts';
import { draftNotice } from '../notices/notice.ts';
import type { SigningDevice } from './sign-in.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'noticeChoice'>;

/** What the request says of the device. */
export type GivenDevice = {
  readonly deviceToken: string | undefined;
  readonly userAgent: string | undefined;
  readonly language: Language;
};

/** A forged or expired token, or one of another installation, counts as none. */
export function prepareDevice(
  { clock, secrets, noticeChoice }: Deps,
  { deviceToken, userAgent, language }: GivenDevice,
): { known: KnownDevice | undefined; device: SigningDevice } {
  const now = clock.now();
  const known = readDevice(secrets, deviceToken, now);
  const notice = draftNotice(secrets, { language, now, device: nameDevice(userAgent) });
  return { known, device: { knownUserId: known?.userId, isReported: noticeChoice !== 'off', notice } };
}
