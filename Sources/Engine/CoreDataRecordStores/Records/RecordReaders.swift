import CoreDataStore

/// The readers of a store in memory: any number, since a query does not need resources of its own.
///
/// Many threads read at once, or the thread that locks the store changes its tables. Each answer is of one state, which is
/// not retained between two queries.
///
/// Invariants:
/// 1. `reading`, `waiting` and `isChanging` are used only while `condition` is held.
/// 2. A waiting writer takes precedence over readers that come later.
/// 3. A thread that changes the tables does not use readers, and one that reads does not change them.
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

    /// Asks the tables beside others who do.
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

    /// Runs a block that changes the tables, while no reader reads them.
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

/// A reader of the tables as they are at each question.
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
