import CoreData

/// The objects to change: those at addresses, or those that match a query.
package enum ObjectSelection {
    case addresses([String])
    case query(ObjectQuery)

    /// Whether a word is the address of an object rather than the name of an entity, which contains no slash.
    package static func isAddress(_ word: String) -> Bool { word.contains("/") }
}

extension OpenStore {
    /// The objects of a selection in its order, without duplicates.
    ///
    /// - Throws: `InspectionError` of code `noObject` if an address leads nowhere.
    func objects(_ selection: ObjectSelection) throws -> [NSManagedObject] {
        switch selection {
        case .addresses(let texts):
            var seen: Set<NSManagedObject> = []
            return try texts.map { try object(at: $0) }.filter { seen.insert($0).inserted }
        case .query(let query):
            let ids = try identifiers(query)
            return try pages(of: ids).flatMap { try objects($0, query.entity) }
        }
    }

    /// The number of objects of a selection.
    package func count(_ selection: ObjectSelection) throws -> Int {
        try context.performAndWait {
            switch selection {
            case .addresses: try objects(selection).count
            case .query(let query): try identifiers(query).count
            }
        }
    }
}
