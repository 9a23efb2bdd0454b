#!/usr/bin/env python3
"""Checks the ZIP of a case: files, events, seal and time stamp against its manifest.

    scripts/verify.py FILE.zip        exit code 0: everything fits; 1: something does not; 2: not readable

Written apart from the server, with nothing but Python's standard library, so that neither has to be believed.
Rules: RFC 8785 (the events' text), RFC 6962 (the trees), RFC 3161 (the time stamp).
One line for each thing that is wrong: WRONG <what> <which>; UNCOVERED for files that came or went after the seal, for
which nothing vouches. NOTE: what was not checked here, or has to be compared outside.
"""

import base64
import binascii
import hashlib
import json
import sys
import zipfile

GENESIS = "0" * 64
MEDIA = ("MEDIA_CAPTURED", "FILE_UPLOADED")
FIXED = ("manifest.json", "verificador.html")


def sha(data):
    return hashlib.sha256(data).hexdigest()


def unhex(text):
    try:
        return bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return b""


def split(n):
    size = 1
    while size * 2 < n:
        size *= 2
    return size


def tree(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + tree(leaves[:k]) + tree(leaves[k:])).digest()


def climb(leaf, index, size, path):
    """The root to which a leaf and the hashes beside its way lead; None when the way has the wrong length."""
    if not 0 <= index < size:
        return None
    if size == 1:
        return None if path else hashlib.sha256(b"\x00" + leaf).digest()
    if not path:
        return None
    k, sibling = split(size), path[-1]
    below = climb(leaf, index, k, path[:-1]) if index < k else climb(leaf, index - k, size - k, path[:-1])
    if below is None:
        return None
    pair = below + sibling if index < k else sibling + below
    return hashlib.sha256(b"\x01" + pair).digest()


def der(data, at=0):
    """One DER element: (tag, content, where the next begins)."""
    tag, length, at = data[at], data[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length, at = int.from_bytes(data[at:at + count], "big"), at + count
    if at + length > len(data):
        raise ValueError("cut short")
    return tag, data[at:at + length], at + length


def inside(data):
    parts, at = [], 0
    while at < len(data):
        tag, content, at = der(data, at)
        parts.append((tag, content))
    return parts


def imprint(token):
    """What a time stamp token stamps: ContentInfo > SignedData > encapContentInfo > TSTInfo > messageImprint."""
    content_info = inside(der(token)[1])
    signed = inside(inside(content_info[1][1])[0][1])
    encapsulated = inside(signed[2][1])
    tst_info = inside(der(inside(encapsulated[1][1])[0][1])[1])
    return inside(tst_info[2][1])[1][1]


class Case:
    def __init__(self, archive):
        self.archive = archive
        self.names = {info.filename for info in archive.infolist() if not info.is_dir()}
        self.wrong = []
        self.notes = []
        self.events = []

    def miss(self, what, which):
        self.wrong.append("WRONG %s %s" % (what, which))

    def digest(self, name):
        hasher, size = hashlib.sha256(), 0
        with self.archive.open(name) as file:
            while piece := file.read(1 << 20):
                hasher.update(piece)
                size += len(piece)
        return hasher.hexdigest(), size

    def fits(self, name, sha256, size=None):
        if not isinstance(name, str) or name not in self.names:
            return False
        try:
            found, length = self.digest(name)
        except (zipfile.BadZipFile, OSError, EOFError):
            return False
        return found == sha256 and (size is None or size == length)

    def check(self):
        try:
            self.manifest = json.loads(self.archive.read("manifest.json"))
            assert self.manifest["format"] == "atalaya-evidence-1"
        except (KeyError, ValueError, TypeError, AssertionError, zipfile.BadZipFile):
            self.miss("MANIFEST", "manifest.json")
            return
        self.check_events()
        self.check_conference()
        self.check_values()
        self.check_media()
        self.check_seal()
        self.check_timestamp()
        self.check_certificate()
        self.check_names()

    def check_events(self):
        prev = GENESIS
        listed = self.manifest.get("events") or []
        for seq, link in enumerate(listed, 1):
            try:
                event = json.loads(link["canonical"])
                fits = event["seq"] == seq and link["prev"] == prev
                fits = fits and sha(("VAEV1\n%s\n%s" % (prev, link["canonical"])).encode()) == link["hash"]
            except (KeyError, ValueError, TypeError):
                event, fits = {}, False
            if not fits:
                self.miss("EVENT", seq)
            self.events.append(event if isinstance(event, dict) else {})
            prev = link.get("hash") or ""
        if not listed:
            self.miss("EVENT", 1)

    def data(self, seq):
        known = isinstance(seq, int) and 1 <= seq <= len(self.events)
        data = self.events[seq - 1].get("data") if known else None
        return data if isinstance(data, dict) else {}

    def of_type(self, *types):
        return [(seq, self.data(seq)) for seq, event in enumerate(self.events, 1) if event.get("type") in types]

    def check_conference(self):
        told, created = self.manifest.get("conference") or {}, self.data(1)
        if any(told.get(key) != created.get(key) for key in ("conferenceId", "expedientNumber", "type")):
            self.miss("CONFERENCE", "conference")

    def check_values(self):
        for item in self.manifest.get("values") or []:
            commitment = sha(unhex(item.get("salt")) + str(item.get("value")).encode())
            told = self.data(item.get("seq")).get("%sC" % item.get("field"))
            if not commitment == item.get("commitment") == told:
                self.miss("VALUE", "%s.%s" % (item.get("seq"), item.get("field")))

    def check_media(self):
        listed, entered = self.manifest.get("media") or [], self.of_type(*MEDIA)
        expiries = [seq for seq, _ in self.of_type("MEDIA_EXPIRED")]
        for n in range(max(len(listed), len(entered))):
            if n >= len(listed) or n >= len(entered):
                self.miss("MEDIA", n + 1)
                continue
            item, (seq, data) = listed[n], entered[n]
            told = (item.get("seq"), item.get("name"), item.get("type"), item.get("sha256"), item.get("bytes"))
            if told != (seq, data.get("name"), data.get("type"), data.get("sha256"), data.get("bytes")):
                self.miss("MEDIA", n + 1)
            path = item.get("path")
            if path is None:
                # Only a file whose end is in the chain may be missing.
                if not any(expired > seq for expired in expiries):
                    self.miss("FILE", data.get("name"))
            elif not self.fits(path, data.get("sha256"), data.get("bytes")):
                self.miss("FILE", path)

    def check_seal(self):
        seal = self.manifest.get("seal")
        if seal is None:
            if self.of_type("CONFERENCE_CLOSED"):
                self.miss("ROOT", "seal")
            head = self.manifest["events"][-1].get("hash") if self.events else ""
            self.notes.append("not sealed: nothing outside this archive vouches for it: head %s" % head)
            return
        seq = seal.get("seq")
        known = isinstance(seq, int) and 1 <= seq <= len(self.events)
        if not known or self.manifest["events"][seq - 1].get("hash") != seal.get("head"):
            self.miss("HEAD", "seal")
        if self.root_at(seq if known else 0, seal.get("head")) != seal.get("root"):
            self.miss("ROOT", "seal")
        if known:
            self.check_after_seal(seq)

    def root_at(self, seq, head):
        hashes = [unhex(data.get("sha256")) for at, data in self.of_type(*MEDIA) if at <= seq]
        return tree([unhex(head)] + hashes).hex()

    def check_after_seal(self, seq):
        # Whoever packs an archive anew can append events with right hashes; only those up to the seal are vouched for.
        files = sum(at > seq for at, _ in self.of_type(*MEDIA, "MEDIA_EXPIRED"))
        others = len(self.events) - seq - files
        if files:
            self.wrong.append("UNCOVERED AFTER_SEAL %d media or expiry events after the seal: not guaranteed" % files)
        if others:
            self.notes.append("%d events after the seal, which it does not cover" % others)

    def check_timestamp(self):
        stamp, seal = self.manifest.get("timestamp"), self.manifest.get("seal") or {}
        if stamp is None:
            if seal:
                told = (seal.get("head"), seal.get("root"))
                self.notes.append("no outside time stamp: compare with the public verification page: head %s root %s" % told)
            return
        # The authority's signature needs its certificate, and somebody who trusts it.
        self.notes.append("time stamp not checked here: use openssl ts -verify -digest %s" % stamp.get("root"))
        path = [unhex(step) for step in stamp.get("path") or []]
        top = climb(unhex(seal.get("root")), stamp.get("index", -1), stamp.get("size", 0), path)
        if top is None or top.hex() != stamp.get("root"):
            self.miss("STAMP_PATH", "timestamp")
        try:
            stamped = imprint(base64.b64decode(stamp.get("token"), validate=True)).hex()
        except (IndexError, ValueError, TypeError, binascii.Error):
            stamped = None
        if stamped != stamp.get("root"):
            self.miss("STAMP_TOKEN", "timestamp")

    def check_certificate(self):
        certificate = self.manifest.get("certificate")
        if certificate is None:
            return
        issued = [e for e in self.of_type("CERTIFICATE_ISSUED") if e[1].get("number") == certificate.get("number")]
        if not issued or not self.issued_fits(*issued[0], certificate.get("sha256")):
            self.miss("CERTIFICATE", certificate.get("number"))
        if not self.fits(certificate.get("path"), certificate.get("sha256")):
            self.miss("FILE", certificate.get("path"))

    def issued_fits(self, at, issued, sha256):
        """Whether the event of an issue tells the chain as it was then, and the document's hash."""
        seq, told = issued.get("seq"), issued.get("pdfSha256")
        known = isinstance(seq, int) and 1 <= seq < at
        fits = known and self.manifest["events"][seq - 1].get("hash") == issued.get("head")
        fits = fits and self.root_at(seq, issued.get("head")) == issued.get("root")
        if told is None:
            self.notes.append("the event of the certificate does not tell its document's hash")
        return fits and told in (None, sha256)

    def check_names(self):
        told = {item.get("path") for item in self.manifest.get("media") or []}
        told |= {(self.manifest.get("certificate") or {}).get("path"), *FIXED}
        for name in sorted(self.names - told):
            self.miss("UNKNOWN", name)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        with zipfile.ZipFile(arguments[0]) as archive:
            case = Case(archive)
            case.check()
    except (OSError, zipfile.BadZipFile) as error:
        print("UNREADABLE %s" % error)
        return 2
    for line in case.wrong:
        print(line)
    if not case.wrong:
        print("OK %d events, %d files" % (len(case.events), len(case.manifest.get("media") or [])))
        for line in case.notes:
            print("NOTE %s" % line)
    return 1 if case.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
