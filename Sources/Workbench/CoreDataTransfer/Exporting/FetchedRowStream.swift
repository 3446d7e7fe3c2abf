import CoreData

/// The rows of a store that reads what a query selects together, handed out some at a time.
final class FetchedRowStream: RowStream {
    private var runs: ArraySlice<RowRun>
    private var keys: ArraySlice<Int64> = []
    private let objects: any ObjectStore
    private let query: FetchQuery

    init(_ query: FetchQuery, in objects: any ObjectStore) throws {
        self.objects = objects
        self.query = query
        switch try objects.fetch(query) {
        case .rows(let found): runs = found[...]
        case .addresses(let addresses):
            runs = []
            keys = addresses.keys[...]
        }
    }

    func next(_ count: Int) throws -> [RowRun] {
        if let run = runs.popFirst() { return [run] }
        let some = keys.prefix(count)
        keys = keys.dropFirst(some.count)
        return some.isEmpty ? [] : try objects.rows(of: query.binding, keys: Array(some))
    }

    func interrupt() {}
}

extension ObjectStore {
    /// The rows that a query selects, some at a time where the store can read them so.
    func rowStream(_ query: FetchQuery) throws -> any RowStream {
        try rowStreaming?.stream(query) ?? FetchedRowStream(query, in: self)
    }
}
