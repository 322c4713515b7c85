// Declares the commands that show settings.
import { type CommandDeclarations, json } from '../declare.ts';

export const configCommands = {
  'config print': {
    description: 'print every setting in force and its source, with secrets masked',
    options: { json },
    touches: 'nothing',
    example: 'config print',
  },
  'config docs': {
    description: 'print every setting, its default and its meaning',
    options: { json },
    touches: 'nothing',
    example: 'config docs',
  },
} satisfies CommandDeclarations;
