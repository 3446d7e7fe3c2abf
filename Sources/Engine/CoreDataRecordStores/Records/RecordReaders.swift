import CoreDataStore

/// Makes the readers of a store in memory; there may be any number, since a reader needs no resources.
///
/// Either any number of threads read, or the thread that has locked the store changes the tables. Each query sees one
/// state; two queries may see different states.
///
/// Invariants:
/// 1. `reading`, `waiting` and `isChanging` are accessed only with `condition` locked.
/// 2. Readers that arrive while a writer waits let the writer go first.
/// 3. A thread does not read within `changing`, and does not change the tables within `asking`.
package final class RecordReaders: ReaderProviding, @unchecked Sendable {
    private let questions: RecordQuestions
    private let condition = NSCondition()
    private var reading = 0
    private var waiting = 0
    private var isChanging = false

    package init(_ questions: RecordQuestions) { self.questions = questions }

    package var readerCount: Int { .max }
    package var keepsStates: Bool { false }
    package var patience: Duration { .zero }
    package var holders: String { "" }

    package func checkOut(for use: ReaderUse, waiting: Duration) -> ReaderCheckout { .reader(RecordReader(self)) }

    /// Runs a query on the tables, concurrently with other queries.
    fileprivate func asking<Answer>(_ body: (RecordQuestions) throws -> Answer) rethrows -> Answer {
        condition.withLock {
            while isChanging || waiting > 0 { condition.wait() }
            reading += 1
        }
        defer {
            condition.withLock {
                reading -= 1
                if reading == 0, waiting > 0 { condition.broadcast() }
            }
        }
        return try body(questions)
    }

    /// Runs a block that changes the tables; waits until no query runs, and lets queries wait until the block returns.
    package func changing<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.withLock {
            waiting += 1
            while isChanging || reading > 0 { condition.wait() }
            waiting -= 1
            isChanging = true
        }
        defer {
            condition.withLock {
                isChanging = false
                condition.broadcast()
            }
        }
        return try body()
    }
}

/// A reader that queries the present tables; each query may see another state.
private final class RecordReader: PooledReader {
    private let readers: RecordReaders

    init(_ readers: RecordReaders) { self.readers = readers }

    func fetch(_ query: FetchQuery) throws -> FetchedRows { try readers.asking { try $0.fetch(query) } }

    func count(_ query: FetchQuery) throws -> Int { try readers.asking { try $0.count(query) } }

    func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        body(try readers.asking { try $0.values(query) })
    }

    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try readers.asking { try $0.rows(of: binding, keys: keys) }
    }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        readers.asking { $0.members(of: relationship, key: key) }
    }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        readers.asking { $0.members(of: relationship, keys: keys) }
    }

    func holdState(atOnce: Bool) throws { throw Self.noStates }

    func holdState(of past: PastState) throws { throw Self.noStates }

    func release() {}

    private static var noStates: NSError {
        CoreDataError.make(
            NSCoreDataError, "A store in memory keeps no state but the present one.", hint: "Read it as it is.")
    }
}
