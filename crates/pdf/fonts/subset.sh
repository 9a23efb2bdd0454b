#!/bin/sh
# Makes the fonts of this folder anew. Needs Debian's fonttools, fonts-inter and fonts-jetbrains-mono.
set -eu
cd "$(dirname "$0")"
letters="U+0020-007E,U+00A0-024F,U+0259,U+02C6,U+02C7,U+02D8-02DD,U+0300-030C,U+0370-03FF,U+0400-04FF,U+1E00-1EFF"
signs="U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2032,U+2033,U+2039,U+203A,U+20AC,U+2116,U+2122,U+2190-2193,U+2212,U+2260,U+2264,U+2265,U+2713,U+2717,U+25A1"
for weight in Regular Medium SemiBold; do
  /usr/bin/python3 -m fontTools.subset "/usr/share/fonts/opentype/inter/Inter-$weight.otf" --unicodes="$letters,$signs" \
    --layout-features=kern,liga,calt,ccmp,locl,mark,mkmk,tnum,ss03,cv05 --no-hinting --output-file="Inter-$weight.otf"
done
/usr/bin/python3 -m fontTools.subset /usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf \
  --unicodes=U+0020-007E,U+00B7,U+2026 --layout-features= --no-hinting --output-file=JetBrainsMono-Regular.ttf
