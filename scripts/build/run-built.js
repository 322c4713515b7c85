#!/usr/bin/env node
// The command of a built installation: runs the current build without checks. The build copies this file to dist/gatehouse.js.
import { readFileSync } from 'node:fs';

const { build } = JSON.parse(readFileSync(new URL('current.json', import.meta.url), 'utf8'));
const { beginProcess } = await import(`./${build}/begin-process.js`);
beginProcess();
await import(`./${build}/main.js`);
