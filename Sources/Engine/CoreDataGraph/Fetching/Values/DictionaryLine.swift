import CoreDataStore
import Dispatch
import Synchronization

/// Makes the dictionaries of a result while its next rows are read.
///
/// Tables are appended in the order of their rows. From the second table on, another thread makes dictionaries too. In
/// `finish()`, the caller makes those of the tables that are not begun, so it never waits for a thread that has not
/// started. Without runtime shortcuts, or with one processor, the caller makes all of them.
final class DictionaryLine: Sendable {
    private struct State {
        var tables: [ValueTable?] = []
        var made: [DictionaryPart?] = []
        var begun = 0
        var unfinished = 0
        var isHelped = false
        var isAwaited = false
    }

    private let names: [String]
    private let state = Mutex(State())
    private let lastIsMade = DispatchSemaphore(value: 0)

    /// - Parameter names: the keys, in the order of the columns.
    init(_ names: [String]) { self.names = names }

    /// Appends the next rows; the caller must not use the table afterwards.
    func append(_ table: ValueTable) {
        let needsHelp = state.withLock { state in
            state.tables.append(table)
            state.made.append(nil)
            guard state.tables.count > 1, !state.isHelped, Self.hasHelpers else { return false }
            state.isHelped = true
            return true
        }
        if needsHelp { DispatchQueue.global().async { self.work() } }
    }

    /// All dictionaries, in the order of the rows.
    func finish() -> [NSDictionary] {
        work()
        let waits = state.withLock { state in
            state.isAwaited = state.unfinished > 0
            return state.isAwaited
        }
        if waits { lastIsMade.wait() }
        return DictionaryPart.joined(state.withLock { exchange(&$0.made, with: []) })
    }

    /// Makes the dictionaries of one table after the other, until all tables have been begun.
    private func work() {
        // Separate keys for each thread, so that threads do not contend for the reference counts of the same objects.
        var shapes = DictionaryShapes(names)
        while let (number, table) = next() {
            let made = shapes.dictionaries(table)
            let isLast = state.withLock { state in
                state.made[number] = made
                state.unfinished -= 1
                return state.isAwaited && state.unfinished == 0
            }
            if isLast { lastIsMade.signal() }
        }
    }

    private func next() -> (Int, ValueTable)? {
        state.withLock { state in
            guard state.begun < state.tables.count, let table = state.tables[state.begun].take() else {
                state.isHelped = false
                return nil
            }
            state.begun += 1
            state.unfinished += 1
            return (state.begun - 1, table)
        }
    }

    private static let hasHelpers = RuntimeShortcuts.areTaken && ProcessInfo.processInfo.activeProcessorCount > 1
}

/// The dictionaries of one table; `joined` moves them into one array without changing their reference counts.
final class DictionaryPart: @unchecked Sendable {
    private let first: UnsafeMutablePointer<NSDictionary>
    private var count = 0

    init(capacity: Int) { first = .allocate(capacity: capacity) }

    deinit {
        first.deinitialize(count: count)
        first.deallocate()
    }

    func append(_ dictionary: consuming NSDictionary) {
        (first + count).initialize(to: dictionary)
        count += 1
    }

    /// Moves all dictionaries of some parts into one array.
    static func joined(_ parts: [DictionaryPart?]) -> [NSDictionary] {
        let parts = parts.compactMap(\.self)
        let length = parts.reduce(0) { $0 + $1.count }
        guard length > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: length) { all, count in
            for part in parts {
                let place = all.baseAddress.map { $0 + count }
                place?.moveInitialize(from: part.first, count: part.count)
                count += exchange(&part.count, with: 0)
            }
        }
    }
}
