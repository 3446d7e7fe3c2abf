import CoreData

/// The keys of all objects of a list in its order, at most ten bytes each.
///
/// It is a snapshot: objects that are inserted later are missing, and the keys of objects that are deleted later
/// remain.
package final class ListOrder: @unchecked Sendable {
    package let question: ListQuestion
    let version: StoreVersion
    /// The order's name in addresses.
    let token: String
    // Never changed after `init`, so several threads may read it.
    private let addresses: AddressList

    /// Makes the order in one pass over the store.
    ///
    /// - Throws: `InspectionError`, what the store throws, and `CancellationError`.
    init(_ question: ListQuestion, version: StoreVersion, token: String, reading: StoreReading) throws {
        (self.question, self.version, self.token) = (question, version, token)
        addresses = try reading.addresses(question.query(reading))
    }

    package var count: Int { addresses.count }

    /// The bytes of memory that the keys occupy.
    var byteCount: Int { addresses.keys.count * 8 + addresses.kinds.count * 2 }

    /// The identifiers of the objects in a window.
    func identifiers(_ offset: Int, _ limit: Int) -> [NSManagedObjectID] {
        let start = min(max(0, offset), count)
        return addresses.addresses(start..<min(count, start + limit)).map(\.objectID)
    }

    /// The position of an object in the order; nil if it is not in it.
    func place(of id: NSManagedObjectID) -> Int? {
        let key = id.key
        return addresses.keys.indices.first { addresses.keys[$0] == key && addresses[$0].objectID == id }
    }
}

extension StoreReading {
    /// The addresses of the objects that match a query, without making an identifier for each.
    fileprivate func addresses(_ query: ObjectQuery) throws -> AddressList {
        guard let layout = ModelLayout.of(opened.wholeModel).layout(named: query.entity.name ?? "") else {
            return AddressList()
        }
        let question = FetchQuery(
            binding: opened.store.binding(for: layout), predicate: query.predicate,
            sortDescriptors: query.sortDescriptors, includesValues: false)
        switch try opened.store.fetched(question) {
        case .addresses(let addresses)?: return addresses
        case .rows(let runs)?:
            var addresses = AddressList()
            for run in runs { for index in run.range { addresses.append(run.slab.key(index), of: run.slab.binding) } }
            return addresses
        case nil: throw BrowserFailure(503, code: "closed", reason: "the store has been closed")
        }
    }
}
