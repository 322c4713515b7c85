// Declares the commands for developers who try the interface.
import { type CommandDeclarations, json, requiredText, text } from '../declare.ts';

export const developerCommands = {
  captcha: {
    description: 'solve a captcha challenge of a running service and print the token, for use with curl',
    options: { url: requiredText('url', 'URL of the service', 'http://localhost:8080'), json },
    touches: 'nothing',
    example: 'captcha --url http://localhost:8080',
  },
  'sample curl': {
    description: 'print a shell script that makes the main calls',
    options: { url: text('url', 'URL of the service (default: PUBLIC_URL)'), json },
    touches: 'nothing',
    example: 'sample curl | sh',
  },
} satisfies CommandDeclarations;
