import CoreDataSQL

/// A reader that runs all its queries on one connection; `answering` decides when a query runs, and how often it is
/// repeated.
protocol SessionReader: PooledReader {
    /// Runs a query on the state that this reader sees.
    func answering<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result
}

extension SessionReader {
    func fetch(_ query: FetchQuery) throws -> FetchedRows { try answering { try $0.fetch(query) } }

    func count(_ query: FetchQuery) throws -> Int { try answering { try $0.count(query) } }

    func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        try answering { try $0.values(query, body) }
    }

    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try answering { try $0.rows(of: binding, keys: keys) }
    }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        try answering { try $0.members(of: relationship, owner: owner, key: key) }
    }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        try answering { try $0.members(of: relationship, owner: owner, keys: keys) }
    }
}
