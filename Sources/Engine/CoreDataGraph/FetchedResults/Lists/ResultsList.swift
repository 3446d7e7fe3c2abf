import CoreDataStore

/// A record in a list: its key, and the index of its entity and store in the list's `kinds`.
struct ListEntry {
    var key: Int64
    var kind: UInt16
}

/// A section of a list, and the number of its records. Sections of one name are the same section if their `identity` is
/// equal.
struct SectionRun {
    let identity: Int
    let name: String
    var count: Int
}

/// The records of a controller in their order and sections: only identifiers, a few bytes each.
///
/// Finding, inserting and removing a record takes time roughly proportional to the square root of the list's length.
///
/// Invariants:
/// 1. `tables` has each record of `items` once, by table and key, with its chunk.
/// 2. In a list with sections, their counts add up to the number of items, and no section is empty.
final class ResultsList {
    private final class Table {
        var chunks = OpenTable<Unmanaged<ChunkList<ListEntry>.Chunk>>()
    }

    private var items: ChunkList<ListEntry>
    private var sections: ChunkList<SectionRun>
    private var kinds: [EntityBinding] = []
    private var tables: [Int: Table] = [:]
    private var nextIdentity: Int
    /// The number of sections with each name; more than 1 if the sort order does not agree with the sections.
    private var names: [ExactText: Int]

    /// Makes a list of ordered records, with the names and sizes of the sections; the sizes add up to the number of
    /// records.
    init(_ addresses: AddressList = AddressList(), sections names: [(name: String, count: Int)] = []) {
        var kinds = BindingNumbers()
        var entries: ContiguousArray<ListEntry> = []
        entries.reserveCapacity(addresses.count)
        for index in 0..<addresses.count {
            entries.append(ListEntry(key: addresses.keys[index], kind: kinds.number(of: addresses.binding(at: index))))
        }
        let runs = names.enumerated().map { SectionRun(identity: $0, name: $1.name, count: $1.count) }
        items = ChunkList(entries) { _ in 1 }
        sections = ChunkList(ContiguousArray(runs), weight: Self.size)
        nextIdentity = runs.count
        self.names = Dictionary(runs.map { (ExactText($0.name), 1) }, uniquingKeysWith: +)
        self.kinds = kinds.bindings
        for chunk in items.chunks { note(chunk) }
    }

    /// Makes a list with the records and sections of a state.
    convenience init(_ state: ListState) {
        self.init(
            AddressList((0..<state.count).map(state.address)),
            sections: state.sections.map { ($0.name, $0.range.count) })
    }

    var count: Int { items.count }
    var sectionCount: Int { sections.count }

    /// The current list as a value, unaffected by later changes.
    var state: ListState {
        ListState(items: items.snapshot(), sections: sections.snapshot(), kinds: kinds)
    }

    private static func size(_ run: SectionRun) -> Int { run.count }

    // MARK: Places

    /// The index of the first record of each chunk: these records stay the same while others are inserted and removed.
    var chunkStarts: [Int] { items.starts }

    func address(at index: Int) -> RowAddress {
        let entry = items[index]
        return RowAddress(binding: kinds[Int(entry.kind)], key: entry.key)
    }

    /// The index of a record; nil for one that is not in the list.
    func index(of place: RowKey) -> Int? {
        find(place).map { items.index(of: $0, offset: $1) }
    }

    func contains(_ place: RowKey) -> Bool { tables[place.table]?.chunks[place.key] != nil }

    private func find(_ place: RowKey) -> (chunk: ChunkList<ListEntry>.Chunk, offset: Int)? {
        guard let chunk = tables[place.table]?.chunks[place.key]?.takeUnretainedValue() else { return nil }
        let offset = chunk.elements.firstIndex { entry in
            entry.key == place.key && kinds[Int(entry.kind)].table == place.table
        }
        return offset.map { (chunk, $0) }
    }

    /// The section of the record at an index, the section's index, and the index of its first record.
    func section(of index: Int) -> (run: SectionRun, index: Int, start: Int)? {
        sections.element(atWeight: index, of: Self.size).map { ($0.element, $0.index, $0.before) }
    }

    /// The section and row of the record at an index.
    func path(of index: Int) -> IndexPath {
        guard let section = section(of: index) else { return IndexPath(row: index, section: 0) }
        return IndexPath(row: index - section.start, section: section.index)
    }

    /// Whether the list has a section with a name.
    func hasSection(named name: String) -> Bool { names[ExactText(name)] != nil }

    // MARK: Changes

    /// Removes a record; returns its section if that has become empty and was removed too.
    @discardableResult
    func remove(at index: Int) -> SectionRun? {
        let entry = items.remove(at: index, weight: 1)
        tables[kinds[Int(entry.kind)].table]?.chunks.remove(entry.key)
        guard let section = section(of: index) else { return nil }
        guard section.run.count > 1 else {
            let name = ExactText(section.run.name)
            names[name, default: 1] -= 1
            if names[name] == 0 { names[name] = nil }
            return sections.remove(at: section.index, weight: 1)
        }
        sections.change(at: section.index, weightBy: -1) { $0.count -= 1 }
        return nil
    }

    /// Inserts a record at an index, into an existing section.
    func insert(_ address: RowAddress, at index: Int, intoSection section: Int) {
        sections.change(at: section, weightBy: 1) { $0.count += 1 }
        insert(address, at: index)
    }

    /// Inserts a record at an index, as the only one of a section that is inserted at the index `section`.
    ///
    /// Without an identity the section gets a new one; returns the identity.
    @discardableResult
    func insert(_ address: RowAddress, at index: Int, opening name: String, at section: Int, identity: Int?) -> Int {
        let run = SectionRun(identity: identity ?? nextIdentity, name: name, count: 1)
        if identity == nil { nextIdentity += 1 }
        names[ExactText(name), default: 0] += 1
        _ = sections.insert(run, at: section, weight: 1, of: Self.size)
        insert(address, at: index)
        return run.identity
    }

    /// Inserts a record at an index, without changing a section.
    func insert(_ address: RowAddress, at index: Int) {
        let entry = ListEntry(key: address.key, kind: number(of: address.binding))
        let (chunk, split) = items.insert(entry, at: index, weight: 1) { _ in 1 }
        table(address.binding.table).chunks.set(.passUnretained(chunk), for: address.key)
        if let split { note(split) }
    }

    /// Replaces the address of a record, as after its first save.
    func rename(_ place: RowKey, to address: RowAddress) {
        guard let (chunk, offset) = find(place) else { return }
        let entry = ListEntry(key: address.key, kind: number(of: address.binding))
        items.change(in: chunk, at: offset) { $0 = entry }
        tables[place.table]?.chunks.remove(place.key)
        table(address.binding.table).chunks.set(.passUnretained(chunk), for: address.key)
    }

    // MARK: Keys

    private func note(_ chunk: ChunkList<ListEntry>.Chunk) {
        var former: (number: Int, table: Table)?
        for entry in chunk.elements {
            let number = kinds[Int(entry.kind)].table
            let found = former.flatMap { $0.number == number ? $0.table : nil } ?? table(number)
            former = (number, found)
            if found.chunks.count == 0 { found.chunks.reserve(items.count) }
            found.chunks.set(.passUnretained(chunk), for: entry.key)
        }
    }

    private func table(_ number: Int) -> Table {
        if let known = tables[number] { return known }
        let made = Table()
        tables[number] = made
        return made
    }

    private func number(of binding: EntityBinding) -> UInt16 {
        var numbers = BindingNumbers(bindings: kinds)
        defer { kinds = numbers.bindings }
        return numbers.number(of: binding)
    }
}

/// Numbers the bindings of a list, of which there are few.
private struct BindingNumbers {
    private(set) var bindings: [EntityBinding] = []
    private var last = 0

    init(bindings: [EntityBinding] = []) { self.bindings = bindings }

    mutating func number(of binding: EntityBinding) -> UInt16 {
        if last >= bindings.count || bindings[last] !== binding {
            last = bindings.firstIndex { $0 === binding } ?? bindings.count
            if last == bindings.count { bindings.append(binding) }
        }
        return UInt16(truncatingIfNeeded: last)
    }
}
