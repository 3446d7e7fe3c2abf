import CoreDataStore

/// The result of one fetch in its order, in pieces: the records of several stores and the context's unsaved objects,
/// merged.
///
/// Used on the context's queue.
/// Invariants:
/// 1. Each input returns records in the order of the request, so the next record is the first one of some input.
/// 2. `touched` has the records of unsaved objects: their rows in the stores are ignored.
final class RecordStream {
    /// The number of records that are read from a source at once while they are merged.
    static let recordsAtOnce = 1_000

    private let context: NSManagedObjectContext
    let sources: [any RecordSource]
    private let touched: Set<RowKey>
    private var inputs: [MergeInput] = []
    private var order: RecordOrder
    private let isSorted: Bool
    /// Nil for a single source, which applies limit and offset itself.
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

    /// The next records, at most `count`; empty at the end.
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

    /// Makes sure that an input's first record and its sort keys are known; returns false at the end of the input.
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

/// One of the sequences of records that are merged.
private struct MergeInput {
    /// Nil once it has returned all its records.
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

/// The part of a result that limit and offset select.
struct FetchWindow {
    var offset: Int
    /// How many more records are selected; nil for all.
    private(set) var limit: Int?

    init(_ request: UntypedFetchRequest) {
        offset = max(0, request.fetchOffset)
        limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    }

    var hasRoom: Bool { limit.map { $0 > 0 } ?? true }

    mutating func take() { limit = limit.map { $0 - 1 } }

    /// How many records of a sorted source can be needed if `count` of them are ignored; 0 for all.
    func reach(beside count: Int) -> Int {
        guard let limit else { return 0 }
        let (sum, overflow) = limit.addingReportingOverflow(offset)
        let (reach, more) = sum.addingReportingOverflow(count)
        return overflow || more ? 0 : reach
    }

    /// How many of `count` records limit and offset select.
    func size(within count: Int) -> Int {
        let rest = max(0, count - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
