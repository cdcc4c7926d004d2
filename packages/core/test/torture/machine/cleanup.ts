/** What a rig has made on this machine and takes away again, the latest first, however the rig ends. */
const steps: (() => void)[] = [];

/** @returns how to do it now and no more later */
export function cleanUpLater(step: () => void): () => void {
  steps.push(step);
  return () => {
    const index = steps.indexOf(step);
    if (index === -1) return;
    steps.splice(index, 1);
    step();
  };
}

export function cleanUp(): void {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      step();
    } catch (error) {
      console.error(`Not cleaned up: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
