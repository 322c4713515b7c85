// The entry point of the program: reads the command line and runs the command. The default command is serve.
import { runProgram } from './program.ts';

await runProgram(process.argv);
