// What the people of a drill saw and were promised. All times are those of performance.now().

/** One request, as its caller saw it. Without a status there was no answer. */
export type CallSeen = {
  readonly what: string;
  readonly beganAt: number;
  readonly endedAt: number;
  readonly status: number | undefined;
  readonly code: string | null;
};

/** A code or link that the service said it would send. */
type Promise200 = { readonly to: string; readonly channel: 'sms' | 'mail'; readonly at: number };

type SignIn = {
  readonly channel: 'sms' | 'mail';
  readonly beganAt: number;
  /** Undefined: this person gave up. */
  readonly inAt: number | undefined;
};

/** The newest pair of tokens that a person got. `isEnded` when the service said that the session had ended. */
export type Session = { RT: string; JWT: string; device: string; readonly ip: string; isEnded: boolean };

type StoredFile = { readonly id: string; readonly sha256: string; readonly session: Session };

export type Ledger = {
  readonly calls: CallSeen[];
  readonly promises: Promise200[];
  readonly signIns: SignIn[];
  readonly sessions: Session[];
  readonly files: StoredFile[];
  readonly signOuts: { readonly at: number; readonly code: string }[];
};

export function openLedger(): Ledger {
  return { calls: [], promises: [], signIns: [], sessions: [], files: [], signOuts: [] };
}
