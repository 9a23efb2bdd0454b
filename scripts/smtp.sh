#!/bin/sh
# Runs a command with a real SMTP server (OpenSMTPD) that delivers everything into one mailbox folder.
#
#   scripts/smtp.sh COMMAND [ARGUMENTS…]
#
# The command finds the address in ATALAYA_TEST_SMTP and the mailbox (maildir) in ATALAYA_TEST_MAILDIR. Mail to
# refused.example.net is refused. The server listens on 127.0.0.1 only and is stopped afterwards. Needs root, because
# OpenSMTPD changes users; without root or without the program the command runs without a mail server, and this says so.
set -eu

smtpd="$(command -v smtpd || true)"
[ -n "$smtpd" ] || { [ -x /usr/sbin/smtpd ] && smtpd=/usr/sbin/smtpd; } || true
if [ -z "$smtpd" ] || [ "$(id -u)" != 0 ]; then
  echo "smtp: OpenSMTPD is not installed or we are not root: the tests against a real mail server are NOT run" >&2
  exec "$@"
fi

dir="$(mktemp -d /tmp/atalaya-smtp.XXXXXX)"
chmod 755 "$dir"
mkdir "$dir/mail"
chown nobody "$dir/mail"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
cat >"$dir/smtpd.conf" <<CONF
table everybody { "@" = "nobody" }
listen on 127.0.0.1 port $port hostname mail.example.org
action "inbox" maildir "$dir/mail/box" virtual <everybody>
match from any for domain "refused.example.net" reject
match from any for any action "inbox"
CONF

"$smtpd" -d -f "$dir/smtpd.conf" >"$dir/log" 2>&1 &
pid=$!
stop() {
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  rm -rf "$dir"
}
trap stop EXIT INT TERM

ready=no
for _ in $(seq 1 50); do
  if python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1)" 2>/dev/null; then ready=yes; break; fi
  sleep 0.1
done
[ "$ready" = yes ] || { echo "smtp: could not start:" >&2; cat "$dir/log" >&2; exit 2; }

echo "smtp: OpenSMTPD on 127.0.0.1:$port" >&2
status=0
ATALAYA_TEST_SMTP="smtp://127.0.0.1:$port" ATALAYA_TEST_MAILDIR="$dir/mail/box" "$@" || status=$?
exit "$status"
