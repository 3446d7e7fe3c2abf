import CoreDataGraph
import CoreDataStore
import CoreDataSync

extension SyncSession {
    /// Fetches the large value of an attribute that comes on demand, and exchanges.
    ///
    /// Contexts see the value as they see changes of peers. Where the transport cannot give it now, the store keeps that it is wanted, and
    /// later exchanges go on.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of an object that is saved.
    ///   - attribute: The name of the attribute; of an element of a composite its path.
    /// - Returns: Whether the value is here.
    /// - Throws: `SyncError` with the code `unknownItem` if the object or the attribute takes no part, and what ``exchange(comparing:)``
    ///   throws.
    @discardableResult public func fetch(
        _ identifier: NSManagedObjectID, _ attribute: String
    ) async throws -> Bool {
        let place = try place(of: identifier, attribute)
        return try await perform { session in
            let wanted = try session.store.transaction { transaction in
                guard let object = try transaction.map.identity(of: place.row) else { throw SyncError.unknownObject }
                let wanted = ValuePlace(object, place.attribute.id)
                try transaction.handle(.fetch([wanted], at: transaction.now))
                return wanted
            }
            guard try session.absentPlaces().contains(wanted) else { return true }
            try session.exchangeNow()
            return try !session.absentPlaces().contains(wanted)
        }
    }

    /// Fetches all large values that are not here, and exchanges.
    ///
    /// - Returns: How many are still not here.
    /// - Throws: What ``exchange(comparing:)`` throws.
    @discardableResult public func fetchAll() async throws -> Int {
        try await perform { session in
            let wanted = Array(try session.absentPlaces())
            guard !wanted.isEmpty else { return 0 }
            try session.store.transaction { try $0.handle(.fetch(wanted, at: $0.now)) }
            try session.exchangeNow()
            return try session.absentPlaces().count
        }
    }

    private func absentPlaces() throws -> Set<ValuePlace> {
        try store.transaction { transaction in
            guard let engine = transaction.engine else { throw SyncError.notJoined }
            return Set(try engine.absentValues(transaction.storage).map(\.place))
        }
    }
}
