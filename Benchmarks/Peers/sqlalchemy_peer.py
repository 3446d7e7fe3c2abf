#!/usr/bin/env python3
"""Does the benchmarks' work with SQLAlchemy's object-relational mapper.

    sqlalchemy_peer.py CODE SIZE FOLDER

Prints the median of three runs in seconds; prints nothing for a code that it does not know. Tables, pragmas and what is
timed are those of the benchmark with the code: see Benchmarks/Sources/CoreDataBenchmarks. Files are made in FOLDER.
"""
import contextlib, datetime, gc, os, statistics, sys, time, uuid

import sqlalchemy as sa
from sqlalchemy import orm

RUNS = 3
EPOCH = datetime.datetime(2001, 1, 1)


class Base(orm.DeclarativeBase):
    pass


Item = type("Item", (Base,), {
    "__tablename__": "item",
    "id": orm.mapped_column(sa.Integer, primary_key=True),
    **{f"a{number}": orm.mapped_column(sa.BigInteger) for number in range(10)},
})
Note = type("Note", (Base,), {
    "__tablename__": "note",
    "id": orm.mapped_column(sa.Integer, primary_key=True),
    **{f"text{number}": orm.mapped_column(sa.String) for number in range(4)},
    **{f"number{number}": orm.mapped_column(sa.BigInteger) for number in range(4)},
    **{f"date{number}": orm.mapped_column(sa.DateTime) for number in range(2)},
})
tagging = sa.Table(
    "tagging", Base.metadata, sa.Column("tag", sa.ForeignKey("tag.id"), primary_key=True),
    sa.Column("book", sa.ForeignKey("book.id"), primary_key=True))


class Author(Base):
    __tablename__ = "author"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    born: orm.Mapped[int]


class Book(Base):
    __tablename__ = "book"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    pages: orm.Mapped[int]
    author_id: orm.Mapped[int] = orm.mapped_column(sa.ForeignKey("author.id"))
    author: orm.Mapped[Author] = orm.relationship()


class Tag(Base):
    __tablename__ = "tag"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    number: orm.Mapped[int]
    books: orm.Mapped[list[Book]] = orm.relationship(secondary=tagging)


class Person(Base):
    __tablename__ = "person"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    age: orm.Mapped[int]
    height: orm.Mapped[float]
    name: orm.Mapped[str]
    rank: orm.Mapped[int]


# MARK: Stores


class Store:
    """A file with all tables."""

    def __init__(self, folder, synchronous="FULL"):
        self.path = os.path.join(folder, f"peer-{uuid.uuid4()}.sqlite")
        self.engine = sa.create_engine(f"sqlite:///{self.path}")

        @sa.event.listens_for(self.engine, "connect")
        def prepare(connection, _):
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={synchronous}")

        Base.metadata.create_all(self.engine)

    def fill(self, kind, rows):
        with self.engine.begin() as connection:
            connection.execute(sa.insert(kind), rows)

    def session(self):
        return orm.Session(self.engine)

    def remove(self):
        self.engine.dispose()
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.path + suffix)


def item(row):
    return {f"a{number}": (row * 31 + number * 7) % 1_000_003 for number in range(10)}


def items(folder, count, synchronous="FULL"):
    store = Store(folder, synchronous)
    if count:
        store.fill(Item, [item(row) for row in range(1, count + 1)])
    return store


def expect(condition, what):
    if not condition:
        sys.exit(f"sqlalchemy_peer: {what}")


def timed(work):
    gc.collect()
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def reading(store, work):
    """The times of a work that leaves the store as it is, each in a session of its own."""
    try:
        with store.session() as session:
            work(session)
        for _ in range(RUNS):
            with store.session() as session:
                yield timed(lambda: work(session))[0]
    finally:
        store.remove()


def writing(make, work):
    """The times of a work that changes the store, of which each run has its own."""
    for _ in range(RUNS):
        store = make()
        try:
            with store.session() as session:
                yield timed(work(session))[0]
        finally:
            store.remove()


# MARK: Work


def fetch(folder, count, reads):
    def work(session):
        found = session.scalars(sa.select(Item)).all()
        if reads:
            return sum(o.a0 + o.a1 + o.a2 + o.a3 + o.a4 + o.a5 + o.a6 + o.a7 + o.a8 + o.a9 for o in found)
        expect(len(found) == count, "the fetch returned other objects")

    return reading(items(folder, count), work)


def notes(folder, count):
    words = ["note", "naïve café", "a somewhat longer text that does not fit into a register", "Ω"]
    store = Store(folder)
    store.fill(Note, [
        {
            **{f"text{n}": f"{words[(row + n) % 4]} {row}" for n in range(4)},
            **{f"number{n}": row * 7 + n for n in range(4)},
            **{f"date{n}": EPOCH + datetime.timedelta(seconds=row + n) for n in range(2)},
        }
        for row in range(count)
    ])

    def work(session):
        total = 0
        for o in session.scalars(sa.select(Note)).all():
            total += o.number0 + o.number1 + o.number2 + o.number3
            total += len(o.text0) + len(o.text1) + len(o.text2) + len(o.text3)
            total += (o.date0 - EPOCH).seconds + (o.date1 - EPOCH).seconds
        return total

    return reading(store, work)


def dictionaries(folder, count):
    def work(session):
        found = session.execute(sa.select(Item.a0, Item.a1, Item.a2)).mappings().all()
        expect(len(found) == count, "the fetch returned other rows")

    return reading(items(folder, count), work)


def matching(folder, count):
    query = sa.select(sa.func.count()).select_from(Item).where(Item.a3 > 250_000, Item.a7 < 900_000)
    return reading(items(folder, count), lambda session: session.scalar(query))


def books(folder, count, tags=0):
    store = Store(folder)
    store.fill(Author, [{"id": n + 1, "born": 1000 + n} for n in range(count)])
    store.fill(Book, [{"id": n + 1, "pages": n, "author_id": n + 1} for n in range(count)])
    if tags:
        store.fill(Tag, [{"id": n + 1, "number": n} for n in range(tags)])
        store.fill(tagging, [
            {"tag": n + 1, "book": (n * 37 + m * 7) % count + 1} for n in range(tags) for m in range(100)
        ])
    return store


def members(folder, count):
    def work(session):
        found = [book.pages for tag in session.scalars(sa.select(Tag)).all() for book in tag.books]
        expect(len(found) == count * 100, "other members")

    return reading(books(folder, count * 10, count), work)


def insert(folder, count):
    def work(session):
        def run():
            session.add_all([Item(**item(row)) for row in range(1, count + 1)])
            session.commit()

        return run

    return writing(lambda: items(folder, 0), work)


def change(folder, count, body):
    def work(session):
        found = session.scalars(sa.select(Item)).all()

        def run():
            for number, object in enumerate(found):
                body(session, number, object)
            session.commit()

        return run

    return writing(lambda: items(folder, count), work)


def update(session, number, object):
    object.a0 = number * 17


def delete(session, number, object):
    session.delete(object)


def saves(folder, count, synchronous):
    rows = max(1, count // 10)

    def work(session):
        session.expire_on_commit = False
        found = session.scalars(sa.select(Item)).all()

        def run():
            for number in range(count):
                found[number % rows].a0 = number * 17 + 5
                session.commit()

        return run

    return writing(lambda: items(folder, rows, synchronous), work)


def bulk(folder, count):
    values = [
        {"age": n % 90, "height": 1 + n % 1000 / 1000, "name": f"Name {n}", "rank": n * 31 % 1009} for n in range(count)
    ]

    def work(session):
        def run():
            session.execute(sa.insert(Person), values)
            session.commit()

        return run

    return writing(lambda: Store(folder), work)


WORK = {
    "A": lambda folder, count: fetch(folder, count, False),
    "AR": lambda folder, count: fetch(folder, count, True),
    "T": notes, "V": dictionaries, "N": matching, "M": members, "B": insert,
    "C": lambda folder, count: change(folder, count, update),
    "D": lambda folder, count: change(folder, count, delete),
    "SF": lambda folder, count: saves(folder, count, "FULL"),
    "SN": lambda folder, count: saves(folder, count, "NORMAL"),
    "ID": bulk,
}


def main():
    code, size, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if code in WORK:
        print(statistics.median(WORK[code](folder, size)))


main()
