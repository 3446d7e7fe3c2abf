import CoreData

/// Returns rows in portions from a store that cannot stream the result of a query.
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
    /// A stream of the rows that a query selects; the store streams them itself if it can.
    func rowStream(_ query: FetchQuery) throws -> any RowStream {
        try rowStreaming?.stream(query) ?? FetchedRowStream(query, in: self)
    }
}
