#!/usr/bin/env python3
"""Checks the ZIP of a case: files, events, seal and time stamp against its manifest.

    scripts/verify.py FILE.zip [--key KEY.pem]… [--trust CA.pem]… [--root HEX]… [--online URL]

    --key     public keys of the installation, from /.well-known/atalaya-evidence.pem or a certificate
    --trust   certificates of a time stamp authority
    --root    the root of the seal's day, as it was published (…/verificar/raices) or sent to a webhook
    --online  the installation's public page, or that of a certificate (…/verificar/CODE)

Exit code 0: whole, and a key, an authority or the page that was named vouches for it. 1: something is wrong. 2: not readable.
3: consistent, but nothing that was named vouches for it, or only for a part; a forger who makes everything anew gets that too.

Written apart from the server, with nothing but Python's standard library and the program openssl (for signatures), so that
neither has to be believed. Rules: RFC 8785 (the events' text), RFC 6962 (the trees), RFC 3161 (the time stamp), ECDSA P-256.
One line for each thing that is wrong: WRONG <what> <which>; UNCOVERED for files that came or went after the seal, for
which nothing vouches. ANCHOR: what vouches for it. NOTE: what was not checked here, or has to be compared outside.
"""

import base64
import binascii
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from datetime import datetime, timezone

GENESIS = "0" * 64
MEDIA = ("MEDIA_CAPTURED", "FILE_UPLOADED")
MEDIA_FACTS = ("type", "sha256", "bytes", "deviceKey", "deviceSignature")
FIXED = ("manifest.json", "verificador.html")
# The length of every salt: of another one, it could take the first letters of the value, or give it some.
SALT_BYTES = 16
# Longer names are cut for the archive.
NAME_MAX_BYTES = 150
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


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
    """One DER element: (tag, content, where the next begins). The looser forms of BER, which openssl reads, are refused:
    read in two ways, a token could tell two times."""
    tag, length, at = data[at], data[at + 1], at + 2
    if length == 0x80 or tag & 0x1F == 0x1F:
        raise ValueError("not DER")
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


def read_token(token):
    """What a time stamp token stamps and when, and the certificates in it: ContentInfo > SignedData > encapContentInfo >
    TSTInfo > messageImprint, genTime."""
    content_info = inside(der(token)[1])
    signed = inside(inside(content_info[1][1])[0][1])
    encapsulated = inside(signed[2][1])
    content_tag, content = inside(encapsulated[1][1])[0]
    if content_tag != 0x04:
        raise ValueError("not DER")
    tst_info = inside(der(content)[1])
    time = datetime.strptime(tst_info[4][1].decode("ascii")[:14], "%Y%m%d%H%M%S").replace(tzinfo=timezone.utc)
    certificates = [content for tag, content in signed if tag == 0xA0]
    return inside(tst_info[2][1])[1][1], time, whole(certificates[0]) if certificates else []


def whole(data):
    """The elements of a content, each with its tag and length."""
    parts, at = [], 0
    while at < len(data):
        end = der(data, at)[2]
        parts.append(data[at:end])
        at = end
    return parts


def blocks(text, label):
    """The blocks of a PEM file: the text before each, and its content."""
    found, pattern = [], "-----BEGIN %s-----(.*?)-----END %s-----" % (label, label)
    last = 0
    for match in re.finditer(pattern, text, re.S):
        try:
            found.append((text[last:match.start()], base64.b64decode("".join(match.group(1).split()), validate=True)))
        except binascii.Error:
            pass
        last = match.end()
    return found


def pem(label, data):
    text = base64.b64encode(data).decode()
    lines = [text[at:at + 64] for at in range(0, len(text), 64)]
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n" % (label, "\n".join(lines), label)


SPKI_P256 = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")


def public_key(data):
    """The DER of a P-256 public key, else None."""
    return data if len(data) == len(SPKI_P256) + 65 and data.startswith(SPKI_P256) else None


def keys_of(text):
    """The public keys of a PEM file by fingerprint, each with the day on which it was stolen."""
    keys = {}
    for before, data in blocks(text, "PUBLIC KEY"):
        if public_key(data):
            day = re.search(r"^Stolen: (.*)$", before, re.M)
            days = [keys.get(sha(data)), day and day.group(1).strip()]
            keys[sha(data)] = min((one for one in days if one), default=None)
    return keys


def bears(path, name):
    """Whether a path in the archive is that of a file with this name: the same letters and digits, whatever was replaced for some
    system's sake or numbered because another has the name. Otherwise two files could be packed under each other's names."""
    if not isinstance(path, str) or not isinstance(name, str):
        return False
    letters = [re.sub(r"[^0-9A-Za-z]", "", text).lower() for text in (name, path, re.sub(r" \([0-9]+\)(\.[^./]*)?$", r"\1", path))]
    return len(path.encode()) > NAME_MAX_BYTES or not letters[0] or letters[0] in letters[1:]


def dated(item):
    """Whether the times of a listed key are such, so that they can be compared and printed."""
    fits = [isinstance(item.get("since"), str) and MOMENT.fullmatch(item["since"])]
    for key, form in (("until", MOMENT), ("stolenOn", DAY)):
        fits.append(item.get(key) is None or isinstance(item[key], str) and form.fullmatch(item[key]))
    return all(fits)


class Missing(Exception):
    """The program openssl is not there."""


def openssl(arguments, **files):
    """Runs openssl in a folder with these files; whether it says that all is well."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        try:
            done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise Missing("openssl is not installed") from error
        return done.returncode == 0


def signed_by(key, text, signature):
    """Whether a key (DER) signed a text; the signature is base64 of DER."""
    try:
        signature = base64.b64decode(signature, validate=True)
    except (binascii.Error, TypeError, ValueError):
        return False
    command = ["dgst", "-sha256", "-verify", "key", "-signature", "signature", "text"]
    return openssl(command, key=pem("PUBLIC KEY", key).encode(), signature=signature, text=text.encode())


def stamped_by(token, root, time, authorities):
    """Whether openssl accepts a token from one of these authorities: signature, certificate, purpose, hash."""
    if not authorities:
        return False
    command = ["ts", "-verify", "-digest", root, "-in", "token", "-token_in", "-CAfile", "ca", "-partial_chain"]
    ca = "".join(pem("CERTIFICATE", one) for one in authorities).encode()
    return openssl([*command, "-attime", str(int(time.timestamp()))], token=token, ca=ca)


class Trust:
    """What was named beside the archive."""

    def __init__(self):
        self.keys, self.authorities, self.roots = {}, [], set()
        self.page = None


def fetch(url):
    """The body of an answer; None for 404."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def ask(url, code):
    """What the public page of an installation says: its keys, and the archive's certificate."""
    match = re.match(r"(https?://[^/]+)(?:/(.*))?$", url)
    if not match:
        raise OSError("%s is no address of a page (https://…)" % url)
    site, path = match.group(1), match.group(2) or ""
    named = re.search(r"verificar/([0-9A-Za-z-]+)/?$", path)
    code = named.group(1) if named else code
    keys = fetch(site + "/.well-known/atalaya-evidence.pem") or b""
    certificate = None
    if code is not None:
        answer = fetch("%s/api/v1/verification/%s" % (site, code))
        try:
            certificate = json.loads(answer)["certificate"] if answer is not None else False
        except (ValueError, KeyError, TypeError) as error:
            raise OSError("%s is no page of this kind" % url) from error
    return {"url": url, "keys": keys_of(keys.decode()), "certificate": certificate}


class Case:
    def __init__(self, archive, trust):
        self.archive, self.trust = archive, trust
        self.anchors = []
        names = [info.filename for info in archive.infolist() if not info.is_dir()]
        self.names = set(names)
        # What other programs unpack under a name that is there twice is anybody's guess.
        self.repeated = [name for place, name in enumerate(names) if name in names[:place]]
        self.loose, self.document_vouched = 0, False
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
        self.check_day()
        self.check_certificate()
        self.check_keys()
        self.check_signatures()
        self.check_page()
        self.check_document()
        self.check_drawings()
        self.check_devices()
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

    def known(self, seq, data, key):
        """A fact of an event: plain, or by its commitment, whose value is in the list of values until it is erased."""
        if key in data or "%sC" % key not in data:
            return data.get(key)
        values = self.manifest.get("values") or []
        return next((item.get("value") for item in values if item.get("seq") == seq and item.get("field") == key), None)

    def check_conference(self):
        told, created = self.manifest.get("conference") or {}, self.data(1)
        if any(told.get(key) != self.known(1, created, key) for key in ("conferenceId", "expedientNumber", "type")):
            self.miss("CONFERENCE", "conference")

    def check_values(self):
        for item in self.manifest.get("values") or []:
            salt, value = unhex(item.get("salt")), item.get("value")
            commitment = sha(salt + value.encode()) if isinstance(value, str) and len(salt) == SALT_BYTES else ""
            told = self.data(item.get("seq")).get("%sC" % item.get("field"))
            if not commitment or not commitment == item.get("commitment") == told:
                self.miss("VALUE", "%s.%s" % (item.get("seq"), item.get("field")))

    def check_media(self):
        listed, entered = self.manifest.get("media") or [], self.of_type(*MEDIA)
        expiries = [seq for seq, _ in self.of_type("MEDIA_EXPIRED")]
        for n in range(max(len(listed), len(entered))):
            if n >= len(listed) or n >= len(entered):
                self.miss("MEDIA", n + 1)
                continue
            item, (seq, data) = listed[n], entered[n]
            told = (item.get("seq"), item.get("name"), *(item.get(key) for key in MEDIA_FACTS))
            path = item.get("path")
            name = self.known(seq, data, "name")
            called = path is None or bears(path, name or "")
            if not called or told != (seq, name, *(data.get(key) for key in MEDIA_FACTS)):
                self.miss("MEDIA", n + 1)
            if path is None:
                # Only a file whose end is in the chain may be missing.
                if not any(expired > seq for expired in expiries):
                    self.miss("FILE", name)
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
        files = self.files_after(seq)
        others = len(self.events) - seq - files
        if files:
            self.wrong.append("UNCOVERED AFTER_SEAL %d media or expiry events after the seal: not guaranteed" % files)
        if others:
            self.notes.append("%d events after the seal, which it does not cover" % others)
        self.loose = others - sum(at > seq for at, _ in self.of_type("CERTIFICATE_ISSUED"))

    def files_after(self, seq):
        return sum(at > seq for at, _ in self.of_type(*MEDIA, "MEDIA_EXPIRED"))

    def check_timestamp(self):
        stamp, seal = self.manifest.get("timestamp"), self.manifest.get("seal") or {}
        if stamp is None:
            if seal:
                told = (seal.get("head"), seal.get("root"))
                self.notes.append("no outside time stamp: compare with the public verification page: head %s root %s" % told)
            return
        path = [unhex(step) for step in stamp.get("path") or []]
        place = [stamp.get(key) if type(stamp.get(key)) is int else 0 for key in ("index", "size")]
        top = climb(unhex(seal.get("root")), *place, path)
        if top is None or top.hex() != stamp.get("root"):
            self.miss("STAMP_PATH", "timestamp")
        try:
            token = base64.b64decode(stamp.get("token"), validate=True)
            stamped, time, certificates = read_token(token)
        except (IndexError, ValueError, TypeError, binascii.Error):
            stamped = None
        if stamped is None or stamped.hex() != stamp.get("root"):
            self.miss("STAMP_TOKEN", "timestamp")
        else:
            self.check_token(token, stamped.hex(), time, certificates)

    def check_token(self, token, root, time, certificates):
        # As if its own certificates were trusted: signature, certificate and purpose alone.
        if not stamped_by(token, root, time, certificates):
            self.miss("STAMP_SIGNATURE", "timestamp")
            return
        said = time.strftime("%Y-%m-%d %H:%M:%S UTC")
        if not self.trust.authorities:
            note = "time stamp of %s: signature, certificate and purpose hold; name its authority to rely on it"
            self.notes.append(note % said)
        elif stamped_by(token, root, time, self.trust.authorities):
            self.anchors.append("authority %s" % said)
        else:
            self.miss("FOREIGN_AUTHORITY", "timestamp")

    def check_day(self):
        """The path from the seal's root to its day's; then whether that root is one of those that were named."""
        day, seal = self.manifest.get("day"), self.manifest.get("seal") or {}
        if day is None:
            if self.trust.roots:
                self.notes.append("the archive is under no day's root yet: download it anew when the day of its seal is over")
            return
        name, root = (day.get(key) if isinstance(day.get(key), str) else "" for key in ("day", "root"))
        place = [day.get(key) if type(day.get(key)) is int else 0 for key in ("index", "size")]
        top = climb(unhex(seal.get("root")), *place, [unhex(step) for step in day.get("path") or []])
        if top is None or top.hex() != root:
            self.miss("DAY_PATH", name)
        elif not self.trust.roots:
            note = "under the root of %s: compare it with the published ones, or with what a webhook received: %s"
            self.notes.append(note % (name, root))
        elif root in self.trust.roots:
            self.anchors.append("root %s" % name)
        else:
            self.miss("FOREIGN_ROOT", name)

    def check_certificate(self):
        certificate = self.manifest.get("certificate")
        if certificate is None:
            return
        issued = self.issued(certificate.get("number"))
        if issued is None or not self.issued_fits(*issued, certificate.get("sha256")):
            self.miss("CERTIFICATE", certificate.get("number"))
        if not self.fits(certificate.get("path"), certificate.get("sha256")):
            self.miss("FILE", certificate.get("path"))

    def issued(self, number):
        """The event of a certificate's issue."""
        return next((event for event in self.of_type("CERTIFICATE_ISSUED") if event[1].get("number") == number), None)

    def issued_fits(self, at, issued, sha256):
        """Whether the event of an issue tells the chain as it was then, and the document's hash."""
        seq, told = issued.get("seq"), issued.get("pdfSha256")
        known = isinstance(seq, int) and 1 <= seq < at
        fits = known and self.manifest["events"][seq - 1].get("hash") == issued.get("head")
        fits = fits and self.root_at(seq, issued.get("head")) == issued.get("root")
        if told is None:
            self.notes.append("the event of the certificate does not tell its document's hash")
        return fits and told in (None, sha256)

    def check_keys(self):
        """The keys that the manifest lists: each must be what it is called, and endorsed by whom it says."""
        self.keys = {}
        listed = [item for item in self.manifest.get("keys") or [] if isinstance(item, dict)]
        for item in listed:
            try:
                key = public_key(base64.b64decode(item.get("publicKey"), validate=True))
            except (binascii.Error, TypeError, ValueError):
                key = None
            if key is None or sha(key) != item.get("key") or not dated(item):
                self.miss("KEY", item.get("key"))
            else:
                self.keys[item["key"]] = {**item, "der": key, "endorsed_by": None}
        for item in listed:
            name, previous = item.get("key"), item.get("previous")
            if not isinstance(previous, str) or name not in self.keys:
                continue
            text = lines("VAKEY1", previous, name, item.get("since") or "")
            earlier = self.keys.get(previous)
            if earlier and signed_by(earlier["der"], text, item.get("endorsement")):
                self.keys[name]["endorsed_by"] = previous
            else:
                self.miss("KEY", name)

    def stolen_on(self, name):
        page = (self.trust.page or {}).get("keys", {})
        days = [self.keys.get(name, {}).get("stolenOn"), self.trust.keys.get(name), page.get(name)]
        return min((day for day in days if day), default=None)

    def leads_to(self, name, keys):
        """Whether a key is one of these, or was endorsed by one of them before that was stolen. The day of a theft when one on
        the way was stolen later: whoever has that one can endorse what he likes, with any date."""
        stolen = None
        for _ in range(len(self.keys) + 1):
            if name in keys:
                return stolen or True
            key = self.keys.get(name)
            if not key or not key["endorsed_by"]:
                return False
            day = self.stolen_on(key["endorsed_by"])
            if day and (key.get("since") or "")[:10] > day:
                return False
            stolen = min((one for one in (stolen, day) if one), default=None)
            name = key["endorsed_by"]
        return False

    def check_signatures(self):
        """The seal's signature, then the certificate's. The seal's vouches for the archive, the certificate's for its document."""
        conference = str(self.data(1).get("conferenceId"))
        seal, certificate = self.manifest.get("seal"), self.manifest.get("certificate")
        if seal is not None:
            values = (conference, seal.get("seq"), seal.get("head"), seal.get("root"), seal.get("at") or "")
            self.check_signature("SEAL", "seal", seal, seal.get("at") or "", "VASEAL1", values)
        if certificate is not None:
            number, at = certificate.get("number"), certificate.get("issuedAt") or ""
            place, data = self.issued(number) or (0, {})
            sealed = (seal or {}).get("seq")
            under_seal = place <= (sealed if isinstance(sealed, int) else 0)
            self.document_vouched = under_seal and data.get("pdfSha256") is not None
            # Whoever signs seals signs certificates: one without, issued after a signed seal, lost its signature.
            if unsigned(certificate) and not under_seal and seal is not None and not unsigned(seal):
                self.miss("CERTIFICATE_SIGNATURE", number)
                return
            told = (data.get("seq"), data.get("head") or "", data.get("root") or "", certificate.get("sha256"), at)
            self.check_signature("CERTIFICATE", number, certificate, at, "VACERT1", (conference, number, *told))

    def check_signature(self, what, which, signed, at, kind, values):
        name, signature = signed.get("key"), signed.get("signature")
        if unsigned(signed):
            if what == "SEAL":
                self.notes.append("the seal is not signed, like those made before the installation had a key: no key vouches for it")
            return
        key = self.keys.get(name)
        if key is None or not signed_by(key["der"], lines(kind, *values, name), signature):
            self.miss(what + "_SIGNATURE", which)
            return
        stolen, page = self.stolen_on(name), self.trust.page
        if stolen and at[:10] > stolen:
            self.miss(what + "_STOLEN_KEY", which)
            return
        named = self.leads_to(name, self.trust.keys) if self.trust.keys else None
        of_page = self.leads_to(name, page["keys"]) if page else None
        if named is False or of_page is False:
            self.miss(what + "_FOREIGN_KEY", which)
            return
        if what != "SEAL":
            self.document_vouched = self.document_vouched or not stolen and True in (named, of_page)
            return
        if stolen:
            # Whoever has a stolen key can give what he signs any date.
            self.notes.append("the seal's key was stolen on %s: it vouches for nothing by itself" % stolen)
            return
        if key.get("until") is not None:
            self.notes.append("the seal's key was retired at %s: what it signed stays valid" % key["until"])
        if named is None and of_page is None:
            self.notes.append("the seal is signed: name the key %s to rely on it" % name)
        days = [lead for lead in (named, of_page) if isinstance(lead, str)]
        if days:
            self.notes.append("the seal's key follows one that was stolen on %s: it vouches for nothing by itself" % days[0])
        if named is True:
            self.anchors.append("key %s" % name)
        if of_page is True:
            self.anchors.append("page %s" % page["url"])

    def check_page(self):
        """What the page says of the certificate must be what the archive holds, and no file may have come or gone since."""
        page = self.trust.page
        if not page or page["certificate"] is None:
            return
        told = page["certificate"] or {}
        if told.get("state") in ("void", "broken"):
            self.miss("PAGE", told["state"])
            return
        seq = told.get("events") or 0
        known = 1 <= seq <= len(self.events)
        if not known or self.manifest["events"][seq - 1].get("hash") != told.get("head") \
                or self.root_at(seq, told.get("head")) != told.get("root"):
            self.miss("PAGE", "certificate")
            return
        certificate, sealed = self.manifest.get("certificate") or {}, (self.manifest.get("seal") or {}).get("seq")
        if told.get("number") == certificate.get("number") and told.get("sha256") is not None:
            if told["sha256"] != certificate.get("sha256"):
                self.miss("PAGE", "document")
                return
            self.document_vouched = True
        if self.files_after(seq) or not isinstance(sealed, int) or sealed > seq:
            self.notes.append("the page knows the archive up to event %d only" % seq)
        elif "page %s" % page["url"] not in self.anchors:
            self.anchors.append("page %s" % page["url"])

    def check_document(self):
        """A certificate is issued after the seal, so that neither the seal nor its time stamp covers the document."""
        certificate = self.manifest.get("certificate")
        if certificate is not None and not self.document_vouched and self.anchors:
            note = "the document of certificate %s is vouched for by the installation's key or page alone"
            self.notes.append(note % certificate.get("number"))

    def check_drawings(self):
        """Marks lie beside their pictures: each layer is one that an event of the chain tells."""
        for n, item in enumerate(self.manifest.get("drawings") or [], 1):
            drawn = next((data for seq, data in self.of_type("DRAWING_CHANGED", "MEASURE_CHANGED") if seq == item.get("seq")), None)
            if drawn is None or not isinstance(drawn.get("sha256"), str) or drawn.get("sha256") != item.get("sha256"):
                self.miss("DRAWING", n)
            elif not self.fits(item.get("path"), item.get("sha256")):
                self.miss("FILE", item.get("path"))

    def check_devices(self):
        """Signatures that the client's device made before a picture left it: each is of that picture, of this conference, and
        by a key that came with an acceptance of the notice before."""
        conference = self.data(1).get("conferenceId")
        keys = []
        for at, data in self.of_type("LEGAL_ACCEPTED"):
            try:
                key = public_key(base64.b64decode(data.get("devicePublicKey"), validate=True))
            except (binascii.Error, TypeError, ValueError):
                key = None
            if key is not None:
                keys.append((at, sha(key), key))
        counts = [0, 0, 0]
        for n, (seq, data) in enumerate(self.of_type(*MEDIA), 1):
            check = data.get("deviceCheck") if isinstance(data.get("deviceCheck"), str) else ""
            if data.get("deviceSignature") is None and check != "valid":
                counts[2] += check != ""
                continue
            told = (conference, *(data.get(key) for key in ("captureId", "method", "signedAt", "sha256", "deviceKey")))
            text = lines("VASTILL1", *(value if isinstance(value, str) else "" for value in told))
            key = next((key for at, name, key in keys if at < seq and name == data.get("deviceKey")), None)
            if key is None or not signed_by(key, text, data.get("deviceSignature")):
                self.miss("DEVICE_SIGNATURE", n)
            else:
                counts[data.get("method") == "file"] += 1
        said = ("unchanged since capture on the client's device", "unchanged since they were chosen on the client's device",
                "without a signature of the client's device that fits")
        self.notes += ["%s: %d pictures" % (what, count) for what, count in zip(said, counts) if count]

    def check_names(self):
        told = {item.get("path") for key in ("media", "drawings") for item in self.manifest.get(key) or []}
        told |= {(self.manifest.get("certificate") or {}).get("path"), *FIXED}
        for name in [*sorted(self.names - told), *self.repeated]:
            self.miss("UNKNOWN", name)


def unsigned(signed):
    """Whether something is from before there was a key."""
    return signed.get("key") is None and signed.get("signature") is None


def printable(line):
    """A line of its own, whatever names an archive holds."""
    return re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "\ufffd", line)


def lines(*values):
    """What is signed: a line for each value, every one ended by a line feed."""
    return "".join("%s\n" % (value,) for value in values)


PART = (
    "respaldado solo en parte. Lo que usted ha indicado respalda el caso hasta su sello (líneas ANCHOR), pero después hay "
    "sucesos que nada respalda y que cualquiera pudo añadir. Descargue el archivo de nuevo, para que el sello los incluya.",
    "vouched for in part only. What you named vouches for the case up to its seal (lines ANCHOR), but events follow that "
    "nothing vouches for and that anybody may have added. Download the archive anew, so that its seal covers them.",
)
RESULTS = {
    1: ("no coincide. Al menos una comprobación ha fallado (líneas WRONG o UNCOVERED). No lo use como prueba sin aclararlo.",
        "it does not fit. At least one check failed (lines WRONG or UNCOVERED). Do not use it as evidence before that is "
        "explained."),
    3: ("coherente, pero sin respaldo. Todo coincide entre sí, pero nada de lo que usted ha indicado lo respalda: quien "
        "rehiciera el archivo entero obtendría este mismo resultado. Indique la clave de la instalación (--key), la autoridad "
        "del sello de tiempo (--trust) o la página pública (--online).",
        "consistent, but nothing vouches for it. Everything fits together, but nothing that you named vouches for it: whoever "
        "made the whole archive anew would get this same result. Name the installation's key (--key), the time stamp "
        "authority (--trust) or the public page (--online)."),
    0: ("íntegro y respaldado. Archivos, sucesos y sello coinciden, y lo respalda lo que usted ha indicado (líneas ANCHOR). Un "
        "sello de tiempo demuestra que el contenido ya existía en esa fecha; una clave o una página, que procede de esa "
        "instalación.",
        "whole, and vouched for. Files, events and seal fit, and what you named vouches for it (lines ANCHOR). A time stamp "
        "shows that the content existed by then; a key or a page shows that it comes from that installation."),
}


def read_arguments(arguments):
    """The archive's name and what was named beside it; None when they cannot be understood."""
    trust, names, page = Trust(), [], None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("--key", "--trust", "--root", "--online") and rest:
            value = rest.pop(0)
            if word == "--root":
                if len(unhex(value)) != 32:
                    raise OSError("%s is no root of a day (64 hexadecimal digits)" % value)
                trust.roots.add(value.lower())
                continue
            if word == "--online":
                page = value
                continue
            with open(value, encoding="utf-8") as file:
                text = file.read()
            found = keys_of(text) if word == "--key" else [data for _, data in blocks(text, "CERTIFICATE")]
            if not found:
                raise OSError("%s holds no %s (PEM)" % (value, "P-256 public key" if word == "--key" else "certificate"))
            if word == "--key":
                trust.keys.update(found)
            else:
                trust.authorities += found
        elif word.startswith("--"):
            return None
        else:
            names.append(word)
    return (names[0], trust, page) if len(names) == 1 else None


def code_of(archive):
    """The code of the certificate in an archive."""
    try:
        return json.loads(archive.read("manifest.json"))["certificate"]["code"]
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile):
        return None


def main(arguments):
    try:
        read = read_arguments(arguments)
        if read is None:
            print(__doc__.strip(), file=sys.stderr)
            return 2
        name, trust, page = read
        with zipfile.ZipFile(name) as archive:
            if page is not None:
                trust.page = ask(page, code_of(archive))
            case = Case(archive, trust)
            try:
                case.check()
            except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError):
                # A manifest of another form than any of ours.
                case.miss("MANIFEST", "manifest.json")
    except (OSError, UnicodeError, zipfile.BadZipFile, Missing) as error:
        print("UNREADABLE %s" % error)
        return 2
    for line in case.wrong:
        print(printable(line))
    code = 1 if case.wrong else 0 if case.anchors and not case.loose else 3
    if not case.wrong:
        files = len(case.manifest.get("media") or [])
        print("%s %d events, %d files" % ("OK" if code == 0 else "CONSISTENT", len(case.events), files))
        for line in case.anchors:
            print(printable("ANCHOR %s" % line))
        for line in case.notes:
            print(printable("NOTE %s" % line))
    spanish, english = PART if code == 3 and case.anchors else RESULTS[code]
    print("\nResultado: %s\nResult: %s" % (spanish, english))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
