// What a step of the sign-in works with: the client, the texts, and the way to the next step.
import type { Gatehouse } from '../create-gatehouse.ts';
import type { ElementFacts } from './element-facts.ts';

export type Method = 'phone' | 'email';

export type Step =
  | { readonly name: 'phone' | 'email' }
  | { readonly name: 'done' }
  | { readonly name: 'code'; readonly phone: string; readonly resendAt: number }
  | { readonly name: 'mailed'; readonly email: string; readonly resendAt: number }
  /** Nobody has used the account of this number for a long time. The ticket starts a new account. */
  | { readonly name: 'recycled' | 'claim'; readonly phone: string; readonly ticket: string };

/** What the page learns about a failure. It holds no code, token, phone number or e-mail address. */
export type SignInFault = {
  readonly code: string;
  /** For the user, in the language of the element. */
  readonly message: string;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly step: Step['name'] | 'start';
};

export type Scene = {
  readonly client: Gatehouse;
  readonly facts: ElementFacts;
  /** Without a slash at the end. Empty: the origin of the page. */
  readonly base: string;
  readonly methods: readonly Method[];
  /** The country to begin with, such as `DE`. */
  readonly country: string | null;
  /** What the user has typed, for the way back. */
  readonly typed: { phone: string; email: string };
  readonly step: Step['name'];
  readonly go: (step: Step) => void;
  readonly report: (fault: SignInFault) => void;
  /** Aborts when the step is left. */
  readonly left: AbortSignal;
};

export type View = {
  readonly node: HTMLElement;
  /** Gets the focus when the user has come here by an action. */
  readonly focus: HTMLElement;
};

export type Failure = {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly proofTicket?: string | undefined;
};

/** The client of the page may come from another bundle, so its errors are known by their shape. */
export function isFailure(error: unknown): error is Error & Failure {
  return error instanceof Error && 'code' in error && 'status' in error;
}

export function readFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  throw error;
}
