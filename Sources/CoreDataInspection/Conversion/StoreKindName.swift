import CoreData

/// The kinds of stores by the names that people give them: `sqlite`, `xml`, `binary`.
package enum StoreKindName {
    /// The kinds that the program has and that are kept in files, by their names.
    package static var known: [String: NSPersistentStore.StoreType] {
        let types = NSPersistentStoreCoordinator.registeredStoreTypes.keys.filter { $0 != NSInMemoryStoreType }
        let named = types.map { ($0.lowercased(), NSPersistentStore.StoreType(rawValue: $0)) }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// The kind of a name.
    ///
    /// - Throws: `InspectionError` that lists the kinds there are.
    package static func type(named name: String, besides others: [String] = []) throws -> NSPersistentStore.StoreType {
        if let type = known[name.lowercased()] { return type }
        let names = (known.keys.sorted() + others).joined(separator: ", ")
        throw InspectionError(
            .badValue, PrintableText.escaped(name, limit: 80), "the program has no such kind of store",
            hint: "there are: \(names)")
    }
}
