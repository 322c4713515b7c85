// The kinds of messages: the channel and the outbox payload of each. A new kind compiles only if all code handles it.
import type { Language } from '../kernel/language.ts';
import type { Channel } from './outbox.ts';

/** The purposes of one-time codes. Each purpose is also the kind of the message with the code. */
export const otpPurposes = ['phone-login', 'email-binding'] as const;

export type OtpPurpose = (typeof otpPurposes)[number];

/** Messages that a user can request. Each kind has its own pause between two messages. */
export type RequestedKind = OtpPurpose | 'login-link';

export type MessageKind = RequestedKind | 'email-replaced';

type KindRule = { readonly channel: Channel };

/** In the order in which staff see their limits. */
export const requestedKinds = {
  'phone-login': { channel: 'sms' },
  'email-binding': { channel: 'mail' },
  'login-link': { channel: 'mail' },
} as const satisfies Readonly<Record<RequestedKind, KindRule>>;

export const messageKinds = {
  ...requestedKinds,
  'email-replaced': { channel: 'mail' },
} as const satisfies Readonly<Record<MessageKind, KindRule>>;

export type ChannelOf<Kind extends MessageKind> = (typeof messageKinds)[Kind]['channel'];

type Addressed = { readonly to: string; readonly language: Language };

/** The input of a derived code. The commit that opens or reuses the challenge adds it, so that a resend repeats the code. */
export type CodeSource = {
  readonly challenge: { readonly id: string; readonly nonce: string; readonly secretId: string };
  readonly expiresAt: number;
};

/** The payload of a message with a code, before its challenge is known. */
type CodeRequests = {
  'phone-login': Addressed;
  'email-binding': Addressed & { readonly address: string; readonly userId: string };
};

type Payloads = { [Purpose in OtpPurpose]: CodeRequests[Purpose] & CodeSource } & {
  'login-link': Addressed & { readonly secretId: string; readonly nonce: string; readonly browserHash: string };
  'email-replaced': Addressed;
};

export type PayloadOf<Kind extends MessageKind> = Payloads[Kind];

type Entry<Kind extends MessageKind, Payload> = {
  readonly id: string;
  readonly kind: Kind;
  readonly channel: ChannelOf<Kind>;
  readonly payload: Payload;
  readonly createdAt: number;
  /** After this time the worker parks the message instead of sending it. */
  readonly expiresAt: number;
};

/** A message to one recipient. The worker writes its text at delivery, so the store holds no code or link. */
export type MessageOf<Kind extends MessageKind> = Entry<Kind, PayloadOf<Kind>>;

export type Message = { [Kind in MessageKind]: MessageOf<Kind> }[MessageKind];

/** A message with a code whose challenge is opened in the same commit. */
export type CodeDraft = { [Purpose in OtpPurpose]: Entry<Purpose, CodeRequests[Purpose]> }[OtpPurpose];
