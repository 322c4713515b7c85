// The kinds of messages: the channel and the outbox payload of each. A new kind compiles only if all code handles it.

import type { UserId } from '../kernel/ids.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../kernel/recipient.ts';
import type { Language } from '../kernel/text/language.ts';
import type { Channel } from './channel.ts';

/** The purposes of one-time codes. Each purpose is also the kind of the message with the code. */
export const otpPurposes = ['phone-login', 'email-binding', 'proof-phone', 'proof-email', 'phone-change'] as const;

export type OtpPurpose = (typeof otpPurposes)[number];

/** Messages that a user can request. Each kind has its own pause between two messages. */
export type RequestedKind = OtpPurpose | 'login-link';

/** Notices of a change of the number. They are sent whatever NOTICES says, and have a limit of their own. */
export const phoneTopics = ['phone-changed', 'phone-change-scheduled', 'phone-change-cancelled'] as const;

/** What a notice is about. */
export const smsTopics = ['email-bound', 'email-replaced', 'email-removed', ...phoneTopics] as const;
export const mailTopics = [...smsTopics, 'phone-change-failed', 'new-device', 'phone-lost'] as const;

export type PhoneTopic = (typeof phoneTopics)[number];
export type SmsTopic = (typeof smsTopics)[number];
export type MailTopic = (typeof mailTopics)[number];

/** Messages that nobody requested: they tell what has happened. */
export const noticeKinds = ['email-replaced', 'notice', 'notice-sms'] as const;

export type MessageKind = RequestedKind | (typeof noticeKinds)[number];

type KindRule = { readonly channel: Channel };

/** In the order in which staff see their limits. */
export const requestedKinds = {
  'phone-login': { channel: 'sms' },
  'email-binding': { channel: 'mail' },
  'login-link': { channel: 'mail' },
  'proof-phone': { channel: 'sms' },
  'proof-email': { channel: 'mail' },
  'phone-change': { channel: 'sms' },
} as const satisfies Readonly<Record<RequestedKind, KindRule>>;

export const messageKinds = {
  ...requestedKinds,
  'email-replaced': { channel: 'mail' },
  notice: { channel: 'mail' },
  'notice-sms': { channel: 'sms' },
} as const satisfies Readonly<Record<MessageKind, KindRule>>;

type ChannelOf<Kind extends MessageKind> = (typeof messageKinds)[Kind]['channel'];

type Addressed<To> = { readonly to: To; readonly language: Language };

/** Empty until the commit that sends the message fills it in. */
type Later<To> = To | '';

/** The input of a derived code. The commit that opens or reuses the challenge adds it, so that a resend repeats the code. */
export type CodeSource = {
  readonly challenge: { readonly id: string; readonly nonce: string; readonly secretId: string };
  readonly expiresAt: number;
};

/** The input of the link “this was not me”, which the worker derives. */
export type NoticeSource = { readonly secretId: string; readonly nonce: string };

/** The payload of a message with a code, before its challenge is known. */
type CodeRequests = {
  'phone-login': Addressed<PhoneNumber>;
  'email-binding': Addressed<EmailKey> & { readonly address: EmailAddress; readonly userId: UserId };
  'proof-phone': Addressed<PhoneNumber> & { readonly userId: UserId };
  'proof-email': Addressed<EmailKey> & { readonly address: EmailAddress; readonly userId: UserId };
  'phone-change': Addressed<PhoneNumber> & { readonly userId: UserId };
};

type Payloads = { [Purpose in OtpPurpose]: CodeRequests[Purpose] & CodeSource } & {
  'login-link': Addressed<EmailKey> & {
    readonly secretId: string;
    readonly nonce: string;
    readonly browserHash: string;
    /** The sign-in of an app that the link goes on with. Absent if the user asked for no app. */
    readonly authorizationTicket?: string;
  };
  /** Without a link: where notices are off, the replaced address gets this message all the same. */
  'email-replaced': Addressed<Later<EmailAddress>>;
  notice: Addressed<Later<EmailAddress>> & {
    readonly topic: MailTopic;
    readonly at: number;
    /** The masked phone number of the account, or its masked address if it has none. */
    readonly account: string;
    /** Empty if it is unknown, or if the notice is about no device. */
    readonly device: string;
    /** The masked new number. Absent if the notice is about no number. */
    readonly number?: string;
    /** The link undoes nothing, so the mail does not promise it. */
    readonly isFinal?: true;
    readonly link: NoticeSource;
  };
  'notice-sms': Addressed<Later<PhoneNumber>> & { readonly topic: SmsTopic; readonly link: NoticeSource };
};

type PayloadOf<Kind extends MessageKind> = Payloads[Kind];

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
