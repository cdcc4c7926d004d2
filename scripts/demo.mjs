// npm run demo: installs and builds what is missing, then runs the demo in this very process. With no process in
// between, Ctrl-C and every other signal reach the demo itself, and its exit code is the exit code of this command.
import { build, install } from './workspace.mjs';

stopWithParent();
for (const step of [install, () => build('--filter=@holdfast/demo')]) {
  const code = await step();
  if (code !== 0) process.exit(code);
}
await import('../apps/demo/dist/main.js');

/**
 * npm starts this script through a shell. A SIGTERM to npm ends npm and the shell but is not handed on to us, so we
 * watch for the shell's end and take it for the same request.
 */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
