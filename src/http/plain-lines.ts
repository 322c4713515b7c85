// Every endpoint that the OpenAPI document lists beside the route tables.
import type { PlainLine } from './interface/plain-line.ts';
import { oauthLines } from './oauth/oauth-lines.ts';
import { probeLines } from './routes/probe-lines.ts';

export const plainLines: readonly PlainLine[] = [...oauthLines, ...probeLines];
