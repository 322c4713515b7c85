// The services and formats that users can be imported from, by their name on the command line.
import { auth0 } from './auth0.ts';
import { cognito } from './cognito.ts';
import { csv } from './csv.ts';
import { firebase } from './firebase.ts';
import type { Source } from './foreign-user.ts';
import { jsonl } from './jsonl.ts';
import { supabase } from './supabase.ts';

export const sources = { csv, jsonl, firebase, supabase, cognito, auth0 } as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;

export const sourceNames = Object.keys(sources) as readonly SourceName[];
