import { exerciseJobStore } from '@holdfast/testing/conformance';
import { LogStoreRig } from './log-store-rig.js';

exerciseJobStore({
  name: 'the log store in one thread',
  async open() {
    const rig = new LogStoreRig();
    const store = await rig.open();
    return { store, clock: rig.clock, close: () => rig.close(), reopen: (how) => rig.reopen(how) };
  },
});
