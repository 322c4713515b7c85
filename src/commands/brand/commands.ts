// Declares the command that checks the file of the brand.
import { argument, type CommandDeclarations, json } from '../declare.ts';

export const brandCommands = {
  'brand check': {
    description:
      'check a brand file as the service does when it starts (BRAND_FILE): print every problem and its cure, or a summary with the contrast of the colours and the length of each SMS. The length depends on the host in PUBLIC_URL. The exit code is 1 if there is a problem. To see the pages: start in local mode with BRAND_FILE and open /brand',
    arguments: { file: argument('path of the file, such as brand.json') },
    options: { json },
    touches: 'nothing',
    example: 'brand check brand.json',
  },
} satisfies CommandDeclarations;
