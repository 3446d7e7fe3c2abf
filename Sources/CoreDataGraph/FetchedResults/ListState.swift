import CoreDataModeling

/// A list of records as it was at one moment. Making one costs as much as the list has chunks.
struct ListState: Sendable {
    private struct Piece<Element: Sendable>: Sendable {
        let elements: ContiguousArray<Element>
        /// How much comes before: records for pieces of both kinds.
        let start: Int
        /// For pieces of sections: how many sections come before.
        let number: Int
    }

    private let items: [Piece<ListEntry>]
    private let runs: [Piece<SectionRun>]
    private let kinds: [EntityBinding]
    let count: Int
    let sectionCount: Int

    init(
        items: some Collection<ContiguousArray<ListEntry>> = [ContiguousArray<ListEntry>](),
        sections: [(ContiguousArray<SectionRun>, Int)] = [],
        kinds: [EntityBinding] = []
    ) {
        var (count, number, records) = (0, 0, 0)
        var pieces: [Piece<ListEntry>] = []
        pieces.reserveCapacity(items.count)
        for elements in items {
            pieces.append(Piece(elements: elements, start: count, number: 0))
            count += elements.count
        }
        self.items = pieces
        runs = sections.map { elements, weight in
            defer {
                records += weight
                number += elements.count
            }
            return Piece(elements: elements, start: records, number: number)
        }
        self.kinds = kinds
        self.count = count
        sectionCount = number
    }

    /// The record at an index.
    func address(at index: Int) -> RowAddress {
        let piece = items[Self.piece(items) { $0.start <= index }]
        let entry = piece.elements[index - piece.start]
        return RowAddress(binding: kinds[Int(entry.kind)], key: entry.key)
    }

    /// The first index of a record, by looking at one after the other; nil for one that is not there.
    func index(of place: RecordPlace) -> Int? {
        for piece in items {
            for (offset, entry) in piece.elements.enumerated() where entry.key == place.key {
                if kinds[Int(entry.kind)].table == place.table { return piece.start + offset }
            }
        }
        return nil
    }

    /// The name of a section, and the indexes of its records.
    func section(_ number: Int) -> (name: String, range: Range<Int>) {
        let piece = runs[Self.piece(runs) { $0.number <= number }]
        let offset = number - piece.number
        let start = piece.elements[..<offset].reduce(piece.start) { $0 + $1.count }
        return (piece.elements[offset].name, start..<start + piece.elements[offset].count)
    }

    /// All sections: their names, and the indexes of their records.
    var sections: [(name: String, range: Range<Int>)] {
        var start = 0
        return runs.flatMap(\.elements).map { run in
            defer { start += run.count }
            return (run.name, start..<start + run.count)
        }
    }

    /// Where a record is as section and row.
    func path(of index: Int) -> IndexPath {
        guard !runs.isEmpty else { return IndexPath(row: index, section: 0) }
        let piece = runs[Self.piece(runs) { $0.start <= index }]
        var (start, number) = (piece.start, piece.number)
        for run in piece.elements {
            if index < start + run.count { break }
            start += run.count
            number += 1
        }
        return IndexPath(row: index - start, section: number)
    }

    /// The index of the record at a section and row; nil where there is none.
    func index(at path: IndexPath, hasSections: Bool) -> Int? {
        guard path.count == 2, path[0] >= 0, path[1] >= 0 else { return nil }
        guard hasSections else { return path[0] == 0 && path[1] < count ? path[1] : nil }
        guard path[0] < sectionCount else { return nil }
        let range = section(path[0]).range
        return path[1] < range.count ? range.lowerBound + path[1] : nil
    }

    /// The last piece that a condition holds for, which holds for the first ones.
    private static func piece<Element>(_ pieces: [Piece<Element>], _ isBefore: (Piece<Element>) -> Bool) -> Int {
        var range = 0..<pieces.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = isBefore(pieces[middle]) ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
