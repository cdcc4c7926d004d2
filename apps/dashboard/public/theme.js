// Runs before the first paint, so that a remembered theme never flashes the other one.
try {
  const theme = JSON.parse(localStorage.getItem('holdfast.theme'));
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme of the operating system applies.
}
