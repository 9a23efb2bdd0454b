// Runs before the first paint, so that a remembered light theme never flashes dark. The default is dark (SPEC §9).
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
} catch {
  // Storage may be closed to us; the default stays.
}
