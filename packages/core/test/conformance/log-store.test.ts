import { exerciseJobStore } from '@holdfast/testing/conformance';
import { LogStoreRig } from './log-store-rig.js';

exerciseJobStore({
  name: 'the log store in one thread',
  async open({ retention }) {
    const rig = new LogStoreRig({ retention });
    const store = await rig.open();
    return {
      store,
      clock: rig.clock,
      heedsRetention: true,
      close: () => rig.close(),
      reopen: (how) => rig.reopen(how),
    };
  },
});
