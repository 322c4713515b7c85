// The program: reads the command line and starts what it names; without a command it serves.
import { existsSync } from 'node:fs';

// What stands in the environment wins over the file.
if (existsSync('.env')) process.loadEnvFile('.env');
const { runProgram } = await import('./commands/program.ts');

await runProgram(process.argv);
