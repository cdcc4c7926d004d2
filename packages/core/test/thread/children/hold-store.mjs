// Opens the store, says so, and keeps it open.
import { openLogStore } from '@holdfast/core';

await openLogStore({ directory: process.argv[2] ?? '' });
console.log('open');
setInterval(() => {}, 1_000_000);
