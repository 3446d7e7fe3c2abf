#!/bin/sh
# pbxproj: names of files with escaped characters are other names once a project is saved.
#
# Package: pbxproj 4.3.3 (PyPI), with openstep_parser 2.0.3, which edits Xcode's projects.
# Input:   a project with a file "caf\U00e9 menu.txt", as property lists of this form write characters beyond ASCII; loaded, and saved
#          without a change.
# Seen:    the name is the text \U00e9 with a backslash, and is written as "caf\\U00e9 menu.txt". The escapes \n and \t are read.
# Expected: "caf\U00e9 menu.txt" or "café menu.txt". (openstep-plist 0.5.2 reads it as café menu.txt.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install pbxproj==4.3.3 openstep_parser==2.0.3 openstep-plist==0.5.2
cd "$folder"
venv/bin/python - <<'PYTHON'
import openstep_plist
from pbxproj import XcodeProject

text = r"""// !$*UTF8*$!
{
	archiveVersion = 1;
	classes = {
	};
	objectVersion = 56;
	objects = {
		F1 = {isa = PBXFileReference; lastKnownFileType = text; name = "caf\U00e9 menu.txt"; sourceTree = "<group>"; };
		P1 = {isa = PBXProject; buildConfigurationList = L1; mainGroup = G1; };
	};
	rootObject = P1;
}
"""
with open("given.pbxproj", "w") as file:
    file.write(text)
project = XcodeProject.load("given.pbxproj")
project.save("saved.pbxproj")
with open("saved.pbxproj") as file:
    saved = file.read()
name = next(part for part in saved.split(";") if "name = " in part).strip()
other = openstep_plist.loads(text)["objects"]["F1"]["name"]
print("saved", name, "openstep-plist reads", other)
assert name == r'name = "caf\\U00e9 menu.txt"' and other == "café menu.txt", "the behaviour has changed"
print("as found")
PYTHON
