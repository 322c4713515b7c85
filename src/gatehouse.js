#!/usr/bin/env -S node --
// The command in a source tree: builds dist/ if it is missing or stale, then runs it. Without sources, run dist/gatehouse.js.
// Without -- before the program, Node would read the file of --env-file itself, and end where it cannot.
import { beginProcess } from './kernel/process/begin-process.js';

beginProcess();
const { ensureBuilt } = await import('../scripts/build/ensure-built.js');
await import(await ensureBuilt());
