import CoreDataStore

/// A data source that answers fetches.
protocol FetchDataSource: ContextDataSource {
    /// The sources that answer a fetch independently of each other.
    func answerers(of fetch: FetchExecution) throws -> [any FetchAnswering]
}

/// One of those who answer a fetch, leaving aside what the fetching context has not saved.
protocol FetchAnswering {
    /// The objects found, in the order of the request; a limit of 0 means unlimited.
    func objects(limit: Int, offset: Int) throws -> [NSManagedObject]
    /// The number of objects that `objects(limit:offset:)` would give.
    func count(limit: Int, offset: Int) throws -> Int
    /// How many of some objects, as they are there, are among all that would be found without limit and offset.
    func count(among objects: [NSManagedObject]) throws -> Int
    /// The first records found with what a row says of each, all read by now.
    func piece(limit: Int) throws -> RecordPiece
    /// The places of the records found; no value is read.
    func addresses(limit: Int, offset: Int) throws -> AddressList
    /// The places of the records found, and the runs of equal values in a column; nil where only objects have the values.
    func scan(_ column: SectionColumn) throws -> SectionScan?
    /// The records found in one snapshot, read on demand; may be called on any thread.
    ///
    /// Their rows are not shared with other readers. A thread that waits for a reader stops once `running` is interrupted.
    func source(limit: Int, offset: Int, for running: RunningSources) throws -> any RecordSource
}
