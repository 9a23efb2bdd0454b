#!/usr/bin/env python3
"""A conference from opening to reading, with the standard library. Needs ATALAYA_URL and ATALAYA_KEY."""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = os.environ["ATALAYA_URL"].rstrip("/") + "/ext-api/v1/"
KEY = os.environ["ATALAYA_KEY"]
HOOK = os.environ.get("ATALAYA_HOOK", "https://example.com/atalaya")


class Refused(Exception):
    """An answer that is a problem document (RFC 9457)."""

    def __init__(self, problem):
        fields = ", ".join(f"{one['field']}: {one['message']}" for one in problem.get("errors", []))
        super().__init__(f"{problem['code']}: {problem['detail']} {fields}".strip())
        self.code = problem["code"]


def call(method, path, body=None, headers=None):
    request = urllib.request.Request(URL + path, method=method, headers={"X-API-Key": KEY, **(headers or {})})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            data = answer.read()
            return json.loads(data) if data else None
    except urllib.error.HTTPError as error:
        raise Refused(json.load(error)) from None


def main():
    print("account:", call("GET", "account")["company"]["company"])
    name = f"example-{uuid.uuid4()}"
    body = {
        "expedientNumber": "EJEMPLO-2",
        "contactPerson": "Ana",
        "phoneNumber": "+34600123456",
        "type": 2,
        "send": "none",
        "externalId": name,
    }
    opened = call("POST", "conferences", body, {"Idempotency-Key": name})["conference"]
    print("opened:", opened["_id"], opened["link"])
    again = call("POST", "conferences", body, {"Idempotency-Key": name})["conference"]
    assert again["_id"] == opened["_id"], "the same call opened another conference"
    read = call("GET", f"conferences/{opened['_id']}")["conference"]
    print("status:", read["status"])
    found = call("GET", "conferences?" + urllib.parse.urlencode({"externalId": name}))
    assert found["total"] == 1, found
    print("files:", len(call("GET", f"conferences/{opened['_id']}/media")["media"]))
    try:
        call("POST", "conferences", {**body, "phoneNumber": "12"})
    except Refused as refused:
        print("refused:", refused)
    try:
        webhook = call("POST", "webhooks", {"url": HOOK, "events": ["conference.closed"]})["webhook"]
        print("webhook:", webhook["_id"])
        call("DELETE", f"webhooks/{webhook['_id']}")
    except Refused as refused:
        print("webhook not added:", refused)
    print("done")


if __name__ == "__main__":
    sys.exit(main())
