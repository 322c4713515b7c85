// The command `apps check`: checks the file of apps as the service does when it starts.
import type { Command } from '../declarations.ts';
import { countOf } from '../write-text.ts';
import { describeProblems, locateAppsFile, readAppsFile } from './apps-file.ts';

export const appsCheck: Command<'apps check'> = async (context, { file }) => {
  const path = locateAppsFile(file);
  const result = readAppsFile(path);
  if ('problems' in result) {
    context.show({ file: path, problems: result.problems }, describeProblems(path, result.problems));
    return 1;
  }
  context.show(
    { file: path, apps: result.apps.length, problems: [] },
    `${path}: ${countOf(result.apps.length, 'app')}, no problems`,
  );
  return 0;
};
