// Declares the command that starts the service.
import type { CommandDeclarations } from '../declare.ts';

export const serveCommands = {
  serve: {
    description: 'start the service (the default command)',
    options: {},
    example: 'serve',
  },
} satisfies CommandDeclarations;
