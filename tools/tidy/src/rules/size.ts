import type { Finding } from '../finding.js';
import type { SizeException } from '../size-exceptions.js';
import { isTest, type SourceFile } from '../source-file.js';

export const fileLinesMax = 400;
export const functionLinesMax = 60;

/** A file or a function that outgrew its room, unless an exception says why. Tests list cases and may be long. */
export function sizeFindings(file: SourceFile, exceptions: readonly SizeException[]): Finding[] {
  if (isTest(file.path)) return [];
  const allowed = (functionName: string | undefined, usual: number) =>
    exceptions.find((exception) => exception.path === file.path && exception.functionName === functionName)?.linesMax ??
    usual;
  const findings: Finding[] = [];
  const fileMax = allowed(undefined, fileLinesMax);
  if (file.lines > fileMax) {
    const message = `has ${file.lines} lines, more than ${fileMax}: two nouns share this file`;
    findings.push({ path: file.path, line: fileMax + 1, message });
  }
  for (const { name, line, lines } of file.functions) {
    const functionMax = allowed(name, functionLinesMax);
    if (lines > functionMax) {
      findings.push({ path: file.path, line, message: `${name} has ${lines} lines, more than ${functionMax}` });
    }
  }
  return findings;
}

/** Exceptions that nothing needs any more: they would only let the next one grow unseen. */
export function staleSizeExceptions(
  files: readonly SourceFile[],
  exceptions: readonly SizeException[],
): readonly SizeException[] {
  return exceptions.filter(({ path, functionName }) => {
    const file = files.find((candidate) => candidate.path === path);
    if (file === undefined) return true;
    if (functionName === undefined) return file.lines <= fileLinesMax;
    return !file.functions.some(({ name, lines }) => name === functionName && lines > functionLinesMax);
  });
}
