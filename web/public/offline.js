// The page without a network: tries again by itself as soon as there is one.
addEventListener('online', function () {
  location.reload();
});
setInterval(function () {
  fetch('/readyz', { cache: 'no-store' }).then(
    function (answer) {
      if (answer.ok) location.reload();
    },
    function () {},
  );
}, 10000);
