// Every endpoint that the OpenAPI document lists beside the route tables.
import type { PlainLine } from './interface/plain-line.ts';
import { oauthLines } from './oauth/oauth-lines.ts';
import { serviceLines } from './routes/service-lines.ts';

export const plainLines: readonly PlainLine[] = [...oauthLines, ...serviceLines];
