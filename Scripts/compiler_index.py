"""The index that the compiler writes beside a debug build: where symbols are defined, and where they are named."""
import collections
import ctypes
import os
import pathlib
import subprocess

# Roles of an occurrence, and of its relations to other symbols.
DEFINITION, REFERENCE, WRITE = 1 << 1, 1 << 2, 1 << 4
CHILD_OF, EXTENDED_BY = 1 << 9, 1 << 14

# A place where a symbol is defined or named; `relations` are pairs of roles and another symbol's identifier.
Occurrence = collections.namedtuple("Occurrence", "usr name kind roles line column relations")


class NoIndex(Exception):
    """The module has not been built."""


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


class Index:
    """The compiler's index, read through the toolchain's libIndexStore."""

    def __init__(self, folder):
        swift = os.path.realpath(subprocess.check_output(["which", "swift"], text=True).strip())
        usr = os.path.dirname(os.path.dirname(swift))
        self.library = ctypes.CDLL(os.path.join(usr, "lib", "libIndexStore.so"))
        self.folder = folder
        self.store = self.call("store_create", ctypes.c_void_p, folder.encode(), None)
        if not self.store:
            raise NoIndex(f"no index in {folder}")

    def call(self, name, result, *arguments):
        function = getattr(self.library, "indexstore_" + name)
        function.restype = result
        return function(*[ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments])

    def each(self, name, owner, kind):
        """What an `_apply_f` function of the library hands to its callback."""
        found = []

        def collect(_, value):
            found.append(str(value) if kind is Text else value)
            return True

        callback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, kind)(collect)
        extra = (ctypes.c_uint(0),) if name == "store_units" else ()
        self.call(name + "_apply_f", ctypes.c_bool, owner, *extra, None, callback)
        return found

    def units(self):
        """Each source file with the names of its records, those of the latest build last."""
        names = self.each("store_units", self.store, Text)
        written = {file.name: file.stat().st_mtime_ns for file in pathlib.Path(self.folder).glob("v*/units/*")}
        for name in sorted(names, key=lambda name: written.get(name, 0)):
            reader = self.call("unit_reader_create", ctypes.c_void_p, self.store, name.encode(), None)
            if not reader:
                continue
            path = str(self.call("unit_reader_get_main_file", Text, reader))
            records = []

            def collect(_, dependency):
                if self.call("unit_dependency_get_kind", ctypes.c_int, dependency) == 2:
                    if str(self.call("unit_dependency_get_filepath", Text, dependency)) == path:
                        records.append(str(self.call("unit_dependency_get_name", Text, dependency)))
                return True

            callback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(collect)
            self.call("unit_reader_dependencies_apply_f", ctypes.c_bool, reader, None, callback)
            yield path, records
            self.call("unit_reader_dispose", None, reader)

    def occurrences(self, record):
        """The places of a record where symbols are defined or named."""
        reader = self.call("record_reader_create", ctypes.c_void_p, self.store, record.encode(), None)
        if not reader:
            return []
        found = []
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def collect(_, place):
            symbol = self.call("occurrence_get_symbol", ctypes.c_void_p, place)
            self.call("occurrence_get_line_col", None, place, ctypes.byref(line), ctypes.byref(column))
            found.append(Occurrence(
                str(self.call("symbol_get_usr", Text, symbol)), str(self.call("symbol_get_name", Text, symbol)),
                self.call("symbol_get_kind", ctypes.c_int, symbol),
                self.call("occurrence_get_roles", ctypes.c_uint64, place), line.value, column.value,
                self.relations(place)))
            return True

        callback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(collect)
        self.call("record_reader_occurrences_apply_f", ctypes.c_bool, reader, None, callback)
        self.call("record_reader_dispose", None, reader)
        return found

    def relations(self, place):
        """What the symbol of a place is to other symbols: roles, and the other's identifier."""
        found = []

        def collect(_, relation):
            other = self.call("symbol_relation_get_symbol", ctypes.c_void_p, relation)
            found.append((self.call("symbol_relation_get_roles", ctypes.c_uint64, relation),
                          str(self.call("symbol_get_usr", Text, other))))
            return True

        callback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(collect)
        self.call("occurrence_relations_apply_f", ctypes.c_bool, place, None, callback)
        return found
