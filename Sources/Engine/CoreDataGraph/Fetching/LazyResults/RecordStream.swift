import CoreDataStore

/// The result of one fetch in its order, a piece at a time: what several stores found, put in between each other and
/// between the objects that the context has not saved.
///
/// Used on the context's queue.
/// Invariants:
/// 1. Each input gives records in the order of the request, so the next record is one of the inputs' first ones.
/// 2. `touched` are the records of unsaved objects: what a store says of them does not count.
final class RecordStream {
    /// The number of records that are read from a source at once while they are merged.
    static let recordsAtOnce = 1_000

    private let context: NSManagedObjectContext
    let sources: [any RecordSource]
    private let touched: Set<RowKey>
    private var inputs: [MergeInput] = []
    private var order: RecordOrder
    private let isSorted: Bool
    /// Nil for a single source, which knows of limit and offset itself.
    private var window: FetchWindow?

    init(
        _ execution: FetchExecution, _ sources: [any RecordSource], changes: PendingChanges, window: FetchWindow?
    ) throws {
        context = execution.context
        self.sources = sources
        touched = changes.places
        self.window = window
        let descriptors = execution.request.sortDescriptors ?? []
        isSorted = !descriptors.isEmpty
        order = RecordOrder(descriptors, RowMaterializer(context: context, asFaults: true, refreshes: false))
        guard window != nil else { return }
        let matching = try order.sorted(changes.matching.map { FoundRecord($0) })
        inputs = sources.map { MergeInput($0) } + [MergeInput(HeldRecords([.records(matching)]), isUnsaved: true)]
    }

    /// The next records, at most as many; none at the end.
    func next(_ count: Int) throws -> RecordPiece {
        context.takeIdentities()
        guard var window else { return try sources.first?.next(count) ?? .records([]) }
        defer { self.window = window }
        while window.offset > 0, try takeFirst() != nil { window.offset -= 1 }
        var records: [FoundRecord] = []
        while records.count < count, window.hasRoom, let record = try takeFirst() {
            window.take()
            records.append(record)
        }
        return .records(records)
    }

    // MARK: Merging

    private func takeFirst() throws -> FoundRecord? {
        var first: Int?
        for number in inputs.indices {
            guard try fill(number) else { continue }
            guard let best = first else {
                first = number
                if isSorted { continue } else { break }
            }
            if try order.isAscending(inputs[number].keys, inputs[best].keys) { first = number }
        }
        return first.flatMap { inputs[$0].take() }
    }

    /// Sees to it that a input's first record is known; false at its end.
    private func fill(_ number: Int) throws -> Bool {
        while !inputs[number].isKnown {
            if inputs[number].isEmpty, try !read(number) { return false }
            guard var record = inputs[number].pop() else { continue }
            inputs[number].keys = isSorted ? try order.keys(of: &record) : []
            inputs[number].first = record
        }
        return true
    }

    private func read(_ number: Int) throws -> Bool {
        guard let source = inputs[number].source else { return false }
        let piece = try source.next(Self.recordsAtOnce)
        guard piece.count > 0 else {
            inputs[number].source = nil
            return false
        }
        var records: [FoundRecord] = []
        piece.visit(in: context) { record in
            if inputs[number].isUnsaved || !touched.contains(RowKey(record.address)) { records.append(record) }
        }
        inputs[number].waiting = records[...]
        return true
    }
}

/// One of the sequences that are merged.
private struct MergeInput {
    /// Nil once it has given everything.
    var source: (any RecordSource)?
    let isUnsaved: Bool
    var waiting: ArraySlice<FoundRecord> = []
    var first: FoundRecord?
    var keys: [SortKey] = []

    init(_ source: any RecordSource, isUnsaved: Bool = false) {
        self.source = source
        self.isUnsaved = isUnsaved
    }

    var isKnown: Bool { first != nil }
    var isEmpty: Bool { waiting.isEmpty }

    mutating func pop() -> FoundRecord? { waiting.popFirst() }

    mutating func take() -> FoundRecord? {
        defer { first = nil }
        return first
    }
}

/// What of a result is wanted.
struct FetchWindow {
    var offset: Int
    /// How many records are still wanted; all when nil.
    private(set) var limit: Int?

    init(_ request: UntypedFetchRequest) {
        offset = max(0, request.fetchOffset)
        limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    }

    var hasRoom: Bool { limit.map { $0 > 0 } ?? true }

    mutating func take() { limit = limit.map { $0 - 1 } }

    /// How many records of a sorted part can be needed when some of them do not count; 0 when all can.
    func reach(beside count: Int) -> Int {
        guard let limit else { return 0 }
        let (sum, overflow) = limit.addingReportingOverflow(offset)
        let (reach, more) = sum.addingReportingOverflow(count)
        return overflow || more ? 0 : reach
    }

    /// How many of so many records are inside.
    func size(within count: Int) -> Int {
        let rest = max(0, count - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
