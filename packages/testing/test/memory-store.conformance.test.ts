import { exerciseJobStore } from '../src/conformance/index.js';
import { memoryStore, SeededRandom, VirtualClock } from '../src/index.js';

exerciseJobStore({
  name: 'the store in memory',
  async open({ retention }) {
    const clock = new VirtualClock();
    const store = memoryStore({ clock, random: new SeededRandom(1), retention });
    const reopen = async (how: 'closed' | 'killed') => {
      store.restart(how);
      return store;
    };
    return { store, clock, heedsRetention: true, close: () => store.close(), reopen };
  },
});
