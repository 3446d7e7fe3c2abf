#!/usr/bin/env python3
"""Reads the readings of a JSON document and inserts them into a new database of SQLite, under a unique constraint.

    json_peer.py RECORDS DATABASE

Prints how many rows the table has then.
"""
import json, sqlite3, sys
from datetime import datetime

with open(sys.argv[1], encoding="utf-8") as file:
    readings = json.load(file)["readings"]
database = sqlite3.connect(sys.argv[2])
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA synchronous=NORMAL")
database.execute("CREATE TABLE reading (key INTEGER PRIMARY KEY, number INTEGER, station TEXT, taken REAL, value REAL)")
database.execute("CREATE UNIQUE INDEX reading_number ON reading (number)")
with database:
    database.executemany(
        "INSERT INTO reading (number, station, taken, value) VALUES (?, ?, ?, ?) ON CONFLICT (number) DO UPDATE SET "
        "station = excluded.station, taken = excluded.taken, value = excluded.value",
        (
            (
                reading["id"],
                reading["station"]["name"],
                datetime.fromisoformat(reading["taken"].replace("Z", "+00:00")).timestamp(),
                float(reading["value"]),
            )
            for reading in readings
        ),
    )
print(database.execute("SELECT count(*) FROM reading").fetchone()[0])
