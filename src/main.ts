// The entry point of the program: reads the command line and runs the command. The default command is serve.
import { existsSync } from 'node:fs';

// The environment overrides the file.
if (existsSync('.env')) process.loadEnvFile('.env');
const { runProgram } = await import('./commands/program.ts');

await runProgram(process.argv);
