#!/usr/bin/env bash
# A conference from opening to reading, with curl. Needs ATALAYA_URL and ATALAYA_KEY.
set -euo pipefail
url=${ATALAYA_URL:?the address of the server}
key=${ATALAYA_KEY:?an API key}
hook=${ATALAYA_HOOK:-https://example.com/atalaya}

# The key goes through a file descriptor: the command line of a process is visible to others.
call() { # METHOD PATH [BODY] [HEADER]
  local args=(--silent --show-error --fail-with-body --max-time 30 -X "$1")
  [ -z "${3:-}" ] || args+=(--header 'Content-Type: application/json' --data "$3")
  [ -z "${4:-}" ] || args+=(--header "$4")
  curl "${args[@]}" --header @<(echo "X-API-Key: $key") "$url/ext-api/v1/$2"
}
field() { # NAME: the first text of that name in the answer on standard input
  sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"
}
first_id() { # the first _id in the answer on standard input
  grep -oE '"_id":"[^"]*"' | head -n 1 | cut -d '"' -f 4
}

echo "account: $(call GET account | field company)"
name="example-$$-$RANDOM"
body='{"expedientNumber":"EJEMPLO-1","contactPerson":"Ana","phoneNumber":"+34600123456","type":2,"send":"none","externalId":"'$name'"}'
opened=$(call POST conferences "$body" "Idempotency-Key: $name")
id=$(first_id <<<"$opened")
echo "opened: $id"
again=$(call POST conferences "$body" "Idempotency-Key: $name" | first_id)
[ "$again" = "$id" ] || { echo "the same call opened another conference: $again" >&2; exit 1; }
echo "status: $(call GET "conferences/$id" | field status)"
echo "found: $(call GET "conferences?externalId=$name" | grep -oE '"total":[0-9]+')"
echo "files: $(call GET "conferences/$id/media")"
if added=$(call POST webhooks '{"url":"'"$hook"'","events":["conference.closed"]}'); then
  webhook=$(first_id <<<"$added")
  echo "webhook: $webhook, its secret is shown once"
  call DELETE "webhooks/$webhook"
else
  echo "webhook not added: $added"
fi
echo done
