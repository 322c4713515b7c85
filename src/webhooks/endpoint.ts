// Where webhook events go: one receiver of an app, and the ways in which a try can end.

export type PostOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** hopeless: the receiver said that it is gone for good. */
  | { readonly kind: 'failed' | 'hopeless'; readonly error: string; readonly retryAfterSeconds?: number };

export type WebhookEndpoint = {
  /** Names it in the store; made from its URL, tells nothing of it. */
  readonly id: string;
  readonly host: string;
  /** Signs and posts; never throws. The id is the same at every try. */
  post(id: string, payload: string, signal: AbortSignal): Promise<PostOutcome>;
};
