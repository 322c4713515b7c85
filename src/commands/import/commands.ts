// Declares the commands that move all users into an installation and out of it.
import { argument, type CommandDeclarations, flag, json, reason, requiredText, text } from '../declare.ts';

export const importCommands = {
  'import users': {
    description:
      'import users from a file of another service; a repeated import changes nothing, and the service may run; exits with 1 when a record was refused',
    arguments: { file: argument('the file that the other service exported, in UTF-8') },
    options: {
      from: requiredText('format', 'csv, jsonl, firebase, supabase, cognito or auth0 (required)'),
      dryRun: flag('read everything and say what would happen, but write nothing'),
      report: text(
        'file',
        'where refused records are listed with their reasons; the default is FILE.report.jsonl, and no report in a dry run',
      ),
      resume: flag('go on where an interrupted import of this file ended'),
      reason,
      json,
    },
    touches: 'data',
    example: 'import users --from firebase users.json --dry-run',
  },
  'export users': {
    description: 'write all users with their data as JSONL, which import users --from jsonl reads',
    options: { to: text('file', 'write to this new file, readable by its owner only, instead of stdout'), reason },
    touches: 'data',
    example: 'export users --to users.jsonl',
  },
} satisfies CommandDeclarations;
