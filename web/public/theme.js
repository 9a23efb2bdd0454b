// Runs before the first paint and in any browser, so written for the oldest.

// A remembered light theme never flashes dark. The default is dark.
try {
  if (localStorage.getItem('theme') === 'light') {
    document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
  }
} catch (e) {
  // Storage may be closed to us; the default stays.
}

// Internet Explorer and Edge before Chromium cannot run the app at all, so they get the error here.
if (/MSIE |Trident\/|Edge\/\d/.test(navigator.userAgent)) {
  window.onload = function () {
    var text = /lang=en/.test(document.cookie)
      ? 'This browser is not supported. Use Chrome or Firefox.'
      : 'Este navegador no es compatible. Utilice Chrome o Firefox.';
    var box = document.createElement('div');
    box.setAttribute('role', 'alert');
    box.style.cssText = 'margin:15% auto 0;max-width:400px;padding:20px;font:16px/24px sans-serif;text-align:center;color:#eceae3;background:#3a1e1b';
    box.appendChild(document.createTextNode(text));
    document.body.appendChild(box);
  };
}
