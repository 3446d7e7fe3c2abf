import CoreData

/// Which objects a change is for: those at addresses, or those that a question selects.
package enum ObjectSelection {
    case addresses([String])
    case query(ObjectQuery)

    /// Whether a word is the address of an object rather than the name of an entity, which does not contain a slash.
    package static func isAddress(_ word: String) -> Bool { word.contains("/") }
}

extension OpenStore {
    /// The objects of a selection, each once, in its order.
    ///
    /// - Throws: `InspectionError` of code `noObject` where an address leads nowhere.
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

    /// How many objects a selection has.
    package func count(_ selection: ObjectSelection) throws -> Int {
        try context.performAndWait {
            switch selection {
            case .addresses: try objects(selection).count
            case .query(let query): try identifiers(query).count
            }
        }
    }
}
