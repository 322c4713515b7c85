// The program: reads the command line and starts what it names; without a command it serves.
import { existsSync } from 'node:fs';

// What stands in the environment wins over the file.
if (existsSync('.env')) process.loadEnvFile('.env');
const { createProgram } = await import('./commands/program.ts');

// Serving is no default of the parser's: it would take a mistyped command for an argument of it.
await createProgram().parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve']);
