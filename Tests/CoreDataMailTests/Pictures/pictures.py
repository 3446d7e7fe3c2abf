#!/usr/bin/env python3
"""Pictures for tests, by Debian's python3-pil.

  pictures.py make FOLDER   a.jpg, progressive.jpg, a.png, a.webp, a.gif with a place, a camera, comments, a profile and a turning mark
  pictures.py look FILE     what is in a picture, as JSON
"""
import hashlib
import json
import sys

from PIL import Image, ImageCms, PngImagePlugin


def make(folder):
    picture = Image.new("RGB", (64, 48))
    picture.putdata([(x * 4 % 256, y * 5 % 256, (x * y) % 256) for y in range(48) for x in range(64)])
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "SecretCamera"
    exif[0x0132] = "2026:01:02 03:04:05"
    gps = exif.get_ifd(0x8825)
    gps[1], gps[2], gps[3], gps[4] = "N", (50.0, 56.0, 0.0), "E", (6.0, 57.0, 0.0)
    exif[0x8825] = gps
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture.save(f"{folder}/a.jpg", exif=exif, comment=b"SecretComment", icc_profile=profile, quality=90)
    picture.save(f"{folder}/progressive.jpg", exif=exif, progressive=True, comment=b"SecretComment")
    text = PngImagePlugin.PngInfo()
    text.add_text("Location", "SecretTown")
    text.add_itxt("XML:com.adobe.xmp", "<x>SecretXMP</x>")
    picture.save(f"{folder}/a.png", exif=exif, pnginfo=text, icc_profile=profile)
    picture.save(f"{folder}/a.webp", exif=exif, xmp=b"<x>SecretXMP</x>", icc_profile=profile, lossless=True)
    frames = [picture.convert("P"), picture.rotate(90).convert("P")]
    frames[0].save(f"{folder}/a.gif", save_all=True, append_images=frames[1:], loop=0, duration=100, comment=b"SecretComment")
    with open(f"{folder}/a.jpg", "ab") as file:
        file.write(b"SecretFilm behind the picture")


def look(path):
    data = open(path, "rb").read()
    picture = Image.open(path)
    exif = picture.getexif()
    frames = []
    for index in range(getattr(picture, "n_frames", 1)):
        picture.seek(index)
        frames.append(hashlib.sha256(picture.convert("RGB").tobytes()).hexdigest())
    json.dump({
        "format": picture.format, "tags": sorted(exif.keys()), "turning": exif.get(0x0112, 1),
        "secret": b"Secret" in data or b"2026:01:02" in data, "profile": bool(picture.info.get("icc_profile")),
        "pixels": frames, "loops": "loop" in picture.info,
    }, sys.stdout)


make(sys.argv[2]) if sys.argv[1] == "make" else look(sys.argv[2])
