console.log('No benchmark yet.');
