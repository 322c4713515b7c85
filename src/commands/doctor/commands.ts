// Declares the command that checks what the service depends on.
import { type CommandDeclarations, json } from '../declare.ts';

export const doctorCommands = {
  doctor: {
    description: 'check everything the service depends on; exits with 1 when something is bad',
    options: { json },
    touches: 'data',
    example: 'doctor',
  },
} satisfies CommandDeclarations;
