// Reads APPS_FILE: the apps that sign users in by OpenID Connect.
import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { App } from '../apps/clients/app.ts';
import type { ReadLogo } from '../apps/clients/app-logo.ts';
import { parseApps } from '../apps/clients/parse-apps.ts';
import type { EnvReader } from './env-reader.ts';

/** Reports every problem in the file as a problem of the setting. */
export function readAppList(reader: EnvReader): readonly App[] {
  const path = reader.text('APPS_FILE');
  if (path === undefined) return [];
  let text: string;
  try {
    text = reader.readFile(path);
  } catch {
    reader.report('APPS_FILE', `names ${resolve(path)}, which cannot be read`, 'check the path and its permissions');
    return [];
  }
  const result = parseApps(text, readLogoBeside(path));
  if ('apps' in result) return result.apps;
  for (const problem of result.problems) reader.report('APPS_FILE', `(${resolve(path)}) is invalid`, problem);
  return [];
}

/** Logos have paths relative to the file that lists the apps. */
export function readLogoBeside(appsFile: string): ReadLogo {
  return (path, longest) => {
    const file = openSync(resolve(dirname(appsFile), path), 'r');
    try {
      const bytes = Buffer.alloc(longest);
      let length = 0;
      for (let read = 1; read > 0 && length < longest; length += read)
        read = readSync(file, bytes, length, longest - length, null);
      return bytes.subarray(0, length);
    } finally {
      closeSync(file);
    }
  };
}
