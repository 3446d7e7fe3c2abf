import CoreDataStore

/// A list of records in one state.
struct ListState: Sendable {
    private let items: ChunkSnapshot<ListEntry>
    private let runs: ChunkSnapshot<SectionRun>
    private let kinds: [EntityBinding]

    /// Makes a list of entries, whose `kind` is an index in `kinds`.
    init(
        items: ChunkSnapshot<ListEntry> = ChunkSnapshot(), sections: ChunkSnapshot<SectionRun> = ChunkSnapshot(),
        kinds: [EntityBinding] = []
    ) {
        self.items = items
        runs = sections
        self.kinds = kinds
    }

    var count: Int { items.count }
    var sectionCount: Int { runs.count }

    /// The record at an index.
    func address(at index: Int) -> RowAddress {
        let entry = items[index]
        return RowAddress(binding: kinds[Int(entry.kind)], key: entry.key)
    }

    /// The first index of a record, found by searching all entries; nil for a record that is not in the list.
    func index(of place: RowKey) -> Int? {
        for (start, elements) in items.chunks {
            for (offset, entry) in elements.enumerated() where entry.key == place.key {
                if kinds[Int(entry.kind)].table == place.table { return start + offset }
            }
        }
        return nil
    }

    /// The name of a section, and the indices of its records.
    func section(_ number: Int) -> (name: String, range: Range<Int>) {
        let (first, weight, elements) = runs.chunk(at: number)
        let start = elements[..<(number - first)].reduce(weight) { $0 + $1.count }
        let run = elements[number - first]
        return (run.name, start..<start + run.count)
    }

    /// The names of all sections, and the indices of their records.
    var sections: [(name: String, range: Range<Int>)] {
        var start = 0
        return runs.chunks.flatMap(\.elements).map { run in
            defer { start += run.count }
            return (run.name, start..<start + run.count)
        }
    }

    /// The section and row of the record at an index.
    func path(of index: Int) -> IndexPath {
        guard sectionCount > 0 else { return IndexPath(row: index, section: 0) }
        let chunk = runs.chunk(atWeight: index)
        var (number, start) = (chunk.start, chunk.weight)
        for run in chunk.elements {
            if index < start + run.count { break }
            start += run.count
            number += 1
        }
        return IndexPath(row: index - start, section: number)
    }

    /// The index of the record at a section and row; nil for an index path that is not in the list.
    func index(at path: IndexPath, hasSections: Bool) -> Int? {
        guard path.count == 2, path[0] >= 0, path[1] >= 0 else { return nil }
        guard hasSections else { return path[0] == 0 && path[1] < count ? path[1] : nil }
        guard path[0] < sectionCount else { return nil }
        let range = section(path[0]).range
        return path[1] < range.count ? range.lowerBound + path[1] : nil
    }
}
