#!/usr/bin/env -S node --
// The command of a built installation: runs the current build without checks. The build copies this file to dist/gatehouse.js.
import { readFileSync } from 'node:fs';

const { build, beginProcess } = await load().catch(refuse);
beginProcess();
await import(`./${build}/main.js`).catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return refuse(error);
});

async function load() {
  const { build } = JSON.parse(readFileSync(new URL('current.json', import.meta.url), 'utf8'));
  return { build, ...(await import(`./${build}/begin-process.js`)) };
}

/**
 * @param {Error} error
 * @returns {never}
 */
function refuse({ message }) {
  process.stderr.write(
    `gatehouse: There is no complete build in dist/ (${message}). Run npm run build in a source tree, or install Gatehouse again.\n`,
  );
  process.exit(1);
}
