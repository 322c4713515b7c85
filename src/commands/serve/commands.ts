// Declares the command that starts the service.
import type { CommandDeclarations } from '../declare.ts';

export const serveCommands = {
  serve: {
    description: 'start the service (the default command)',
    options: {
      lan: {
        kind: 'flag',
        description:
          'local mode for phones and other machines in this network: listen on all IP addresses, and show the URL as a QR code. Everyone in the network can read the inbox',
      },
    },
    touches: 'nothing',
    example: 'serve --lan',
  },
} satisfies CommandDeclarations;
