import CoreDataStore

/// Writes the next version of an XML store's file: unchanged records are copied from the former file, changed records
/// are written in their former places, and new records at the end.
struct XMLFileWriting {
    private let image: RecordImage<XMLFormat.Contents>
    private let output: RecordOutput
    private let records: XMLRecordWriting
    private var writer = XMLStoreWriter()
    /// The keys of the records that are written and not copied.
    private var changed: Set<Int64>
    private var written: [(key: Int64, range: Range<Int>)] = []
    /// The range of the former file that is to be copied next; adjacent records are copied together.
    private var pending = 0..<0
    private var pendingRecords: [(key: Int64, range: Range<Int>)] = []

    init(_ image: RecordImage<XMLFormat.Contents>, _ output: RecordOutput) {
        self.image = image
        self.output = output
        changed = image.changed
        records = XMLRecordWriting(names: XMLNames(image.tables), tables: image.tables)
    }

    mutating func run() throws -> XMLFormat.Contents {
        let former = image.former?.contents
        let version = former?.version ?? XMLStoreWriter.version
        let lastKey = image.tables.lastKey
        if let former, !image.isHeadChanged, former.lastKey == lastKey {
            try copy(former.head)
        } else {
            try writer.writeHead(
                version: version, identifier: image.head.identifier ?? "", lastObjectNumber: lastKey,
                metadata: try XMLFormat.propertyList(image.head.metadata))
            try output.write(writer.takeBytes())
        }
        let head = 0..<output.offset
        addReferrersOfGone()
        for record in former?.records ?? [] {
            if changed.contains(record.key) { try write(record.key) } else { try keep(record) }
        }
        try copyPending()
        let known = Set(former?.records.lazy.map(\.key) ?? [])
        for key in changed.sorted() where !known.contains(key) { try write(key) }
        let start = output.offset
        if let former { try copy(former.tail) } else { writer.writeTail() }
        try output.write(writer.takeBytes())
        return XMLFormat.Contents(
            head: head, tail: start..<output.offset, lastKey: lastKey, version: version, records: written)
    }

    /// Adds the records that refer to a deleted record: they are unchanged, but the file must now mark these references
    /// as missing.
    private mutating func addReferrersOfGone() {
        let gone = changed.filter { row($0) == nil }
        guard !gone.isEmpty else { return }
        for layout in image.tables.model.entities where layout.hasReferences {
            let slots = (0..<layout.storedCount).filter {
                if case .toOne = layout.slots[$0].content { true } else { false }
            }
            for run in image.tables.runs(of: layout, includesSubentities: false) {
                for index in run.range
                where slots.contains(where: { gone.contains(run.slab.reference(index, $0)?.key ?? 0) }) {
                    changed.insert(run.slab.key(index))
                }
            }
        }
    }

    /// Writes the present state of a record; writes nothing for a deleted record.
    private mutating func write(_ key: Int64) throws {
        try copyPending()
        guard let row = row(key) else { return }
        let start = output.offset
        try records.write(row, to: &writer)
        try output.write(writer.takeBytes())
        written.append((key, start..<output.offset))
    }

    private func row(_ key: Int64) -> RowSnapshot? {
        for root in 0..<image.tables.model.rootCount {
            if let row = image.tables.row(root: root, key: key) { return row }
        }
        return nil
    }

    // MARK: Copying

    private mutating func keep(_ record: (key: Int64, range: Range<Int>)) throws {
        if pending.upperBound != record.range.lowerBound { try copyPending() }
        if pending.isEmpty { pending = record.range.lowerBound..<record.range.lowerBound }
        pending = pending.lowerBound..<record.range.upperBound
        pendingRecords.append(record)
    }

    private mutating func copyPending() throws {
        guard !pending.isEmpty else { return }
        let shift = output.offset - pending.lowerBound
        try copy(pending)
        for record in pendingRecords {
            written.append((record.key, record.range.lowerBound + shift..<record.range.upperBound + shift))
        }
        pending = 0..<0
        pendingRecords = []
    }

    private func copy(_ range: Range<Int>) throws {
        guard let file = image.former?.file else { return }
        try output.copy(range, of: file)
    }
}
