// Composition: creates the webhook endpoints that the settings name. The signing library is loaded only if there is one.

import type { WebhookEndpoint } from '../backend/webhooks/endpoint.ts';
import type { Config } from '../config/config.ts';

export async function chooseWebhooks({ endpoints, secrets }: Config['webhooks']): Promise<WebhookEndpoint[]> {
  if (endpoints.length === 0) return [];
  const { createHttpEndpoint } = await import('../adapters/webhooks/http-endpoint.ts');
  return endpoints.map((endpoint) => createHttpEndpoint(endpoint, secrets));
}
