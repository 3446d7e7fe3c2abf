import CoreDataStore

/// A source of a context's rows that answers fetches.
protocol FetchDataSource: ContextDataSource {
    /// The answers to a fetch, one for each store or one for the parent, which are independent of each other.
    func answerers(of fetch: FetchExecution) throws -> [any FetchAnswering]
}

/// The answer of one store or of the parent to a fetch, without regard to the fetching context's unsaved changes.
protocol FetchAnswering {
    /// The objects found, in the order of the request; a limit of 0 means unlimited.
    func objects(limit: Int, offset: Int) throws -> [NSManagedObject]
    /// The number of objects that `objects(limit:offset:)` would return.
    func count(limit: Int, offset: Int) throws -> Int
    /// How many of some objects the fetch finds, by the values in the store or parent, without limit and offset.
    func count(among objects: [NSManagedObject]) throws -> Int
    /// The first records found, with their rows, which are read at once.
    func piece(limit: Int) throws -> RecordPiece
    /// The addresses of the records found, without their values.
    func addresses(limit: Int, offset: Int) throws -> AddressList
    /// The addresses of the records found, with the runs of equal values of a column; nil if only objects can compute
    /// the values.
    func scan(_ column: SectionColumn) throws -> SectionScan?
    /// The records found in one snapshot, which are read on demand; may be called from any thread.
    ///
    /// Rows of a snapshot are not added to the row cache. A thread that waits for a reader stops waiting when `running`
    /// is interrupted.
    func source(limit: Int, offset: Int, for running: RunningSources) throws -> any RecordSource
}
