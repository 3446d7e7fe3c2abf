#!/usr/bin/env python3
"""Makes edits of objects in a document of pycrdt, and applies them to a second one.

    pycrdt_peer.py OBJECTS EDITS [PORTION]

Each edit sets one attribute of one object in a transaction of its own. The second document takes each update, or with a portion one
update for so many edits, as an exchange does. Prints the seconds of making, the seconds of applying and the bytes of the updates.
"""
import sys, time
from pycrdt import Doc, Map

objects, edits = int(sys.argv[1]), int(sys.argv[2])
portion = int(sys.argv[3]) if len(sys.argv) > 3 else 1
first, second = Doc(), Doc()
root = first.get("objects", type=Map)
with first.transaction():
    for number in range(objects):
        root[str(number)] = Map({f"a{attribute}": number for attribute in range(10)})
items = [root[str(number)] for number in range(objects)]
second.apply_update(first.get_update())
copies = second.get("objects", type=Map)

making = applying = 0.0
size = 0
updates = []
# With an edit an update it is the event's; a difference would have all that was ever replaced.
subscription = first.observe(lambda event: updates.append(event.update)) if portion == 1 else None
for begin in range(0, edits, portion):
    start = time.process_time()
    state = first.get_state() if portion > 1 else None
    for edit in range(begin, min(begin + portion, edits)):
        with first.transaction():
            items[edit % objects]["a3"] = 1_000_000 + edit
    update = first.get_update(state) if portion > 1 else updates.pop()
    making += time.process_time() - start
    size += len(update)
    start = time.process_time()
    second.apply_update(update)
    applying += time.process_time() - start
expected = 1_000_000 + edits - 1
assert copies[str((edits - 1) % objects)]["a3"] == expected
print(making, applying, size)
