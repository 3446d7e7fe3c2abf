import CoreDataSQL

/// A reader that puts what it is asked to one connection, and says itself when and how often.
protocol SessionReader: PooledReader {
    /// Runs a query on the state that the reader reads.
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
