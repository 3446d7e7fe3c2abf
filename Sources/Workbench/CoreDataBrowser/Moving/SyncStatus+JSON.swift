import CoreData
import CoreDataSyncing

extension SyncStatus {
    /// The status as the tool and the page give it.
    package var json: JSONValue { .object(members) }

    var members: [(String, JSONValue)] {
        let failure = lastFailure.map { failure in
            JSONValue.object([
                ("date", .string(ISODate.text(failure.date))), ("message", .string(failure.message)),
                ("cure", failure.cure.map { .string($0) } ?? .null),
            ])
        }
        return [
            ("identity", .string(identity)), ("inSync", .bool(isInSync)), ("waiting", .bool(isWaitingForState)),
            ("transport", .string(transport)),
            ("lastExchange", lastExchange.map { .string(ISODate.text($0)) } ?? .null),
            ("pendingObjects", pendingObjects.map { .count($0) } ?? .null),
            ("incomingBytes", incomingBytes.map { .count($0) } ?? .null), ("outgoingBytes", .count(outgoingBytes)),
            ("missingBytes", .count(missingBytes)), ("absentValues", .array(absentValues.map(\.json))),
            ("unsentValues", .array(unsentValues.map(\.json))),
            ("refusedItems", .array(refusedItems.map { .string($0) })),
            ("refusedWrites", .array(refusedWrites.map(\.json))), ("lastFailure", failure ?? .null),
            ("peers", .array(peers.map(\.json))),
        ]
    }
}

extension SyncStatus.Peer {
    /// The peer as the tool and the page give it.
    package var json: JSONValue {
        .object([
            ("identity", .string(identity)), ("own", .bool(isOwn)), ("reader", .bool(isReader)),
            ("retired", .bool(isRetired)), ("lastSeen", lastSeen.map { .string(ISODate.text($0)) } ?? .null),
            ("lacks", .count(lacks)), ("isAheadBy", .count(isAheadBy)),
        ])
    }
}

extension SyncStatus.AbsentValue {
    /// The value as the tool and the page give it.
    package var json: JSONValue {
        .object([
            ("object", uri.map { .string($0) } ?? .null), ("entity", .string(entity)),
            ("attribute", .string(attribute)), ("size", .count(size)), ("fetched", .bool(isFetched)),
        ])
    }
}

extension SyncStatus.UnsentValue {
    /// The value as the tool and the page give it.
    package var json: JSONValue {
        .object([("entity", .string(entity)), ("attribute", .string(attribute)), ("size", .count(size))])
    }
}

extension SyncRefusedWrite {
    /// The change as the tool and the page give it.
    package var json: JSONValue {
        .object([
            ("date", .string(ISODate.text(date))), ("kind", .string(kind.rawValue)), ("entity", .string(entity)),
            ("identity", object.map { .string($0) } ?? .null), ("keys", .array(keys.map { .string($0) })),
        ])
    }
}

extension SyncSummary {
    /// What an exchange did, as the tool and the page give it.
    package var json: JSONValue {
        let refused = refused.map {
            JSONValue.object([("item", .string($0.item)), ("reason", .string($0.reason))])
        }
        return .object([
            ("inserted", .count(inserted)), ("updated", .count(updated)), ("deleted", .count(deleted)),
            ("readBytes", .count(readBytes)), ("writtenBytes", .count(writtenBytes)), ("refused", .array(refused)),
            ("reports", .array(reports.map { .string($0) })),
        ])
    }
}

extension SyncConflict {
    /// The conflict as the tool and the page give it.
    package var json: JSONValue {
        .object([
            ("object", objectID.map { .string($0.shortText) } ?? .null), ("identity", .string(object)),
            ("entity", .string(entity)), ("attribute", .string(attribute)), ("rule", .string(rule)),
            ("writes", .array(writes.map(\.json))),
        ])
    }
}

extension SyncExplanation.Write {
    /// The value with its writer, as the tool and the page give it.
    package var json: JSONValue {
        .object([
            ("peer", .string(peer)), ("date", .string(ISODate.text(date))),
            ("value", value.map { .string($0) } ?? .null), ("chosen", .bool(isChosen)),
            ("transaction", transaction.map { .string($0) } ?? .null), ("identity", .string(object)),
        ])
    }
}
