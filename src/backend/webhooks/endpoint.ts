// A webhook endpoint of an app, and the possible outcomes of a post.

export type PostOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** hopeless: the receiver replied that it is permanently gone. */
  | { readonly kind: 'failed' | 'hopeless'; readonly error: string; readonly retryAfterSeconds?: number };

export type WebhookEndpoint = {
  /** The id in the store. Derived from the URL, but does not reveal it. */
  readonly id: string;
  readonly host: string;
  /** Signs and posts. Never throws. The id is the same for every attempt. */
  post(id: string, payload: string, signal: AbortSignal): Promise<PostOutcome>;
};
