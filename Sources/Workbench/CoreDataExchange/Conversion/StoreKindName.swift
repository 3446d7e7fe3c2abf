import CoreData

/// The kinds of stores by the names that people give them: `sqlite`, `xml`, `binary`.
package enum StoreKindName {
    /// The store types that the program has and that use files, by their names.
    package static var known: [String: NSPersistentStore.StoreType] {
        let types = NSPersistentStoreCoordinator.registeredStoreTypes.keys.filter { $0 != NSInMemoryStoreType }
        let named = types.map { ($0.lowercased(), NSPersistentStore.StoreType(rawValue: $0)) }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// The kind that the end of a file's name says; nil where it says none that the program has.
    package static func type(ofFile url: URL) -> NSPersistentStore.StoreType? {
        switch url.pathExtension.lowercased() {
        case "sqlite", "sqlite3", "db": .sqlite
        case "xml": known["xml"]
        case "binary", "bin": known["binary"]
        default: nil
        }
    }

    /// The kind of a name.
    ///
    /// - Throws: `InspectionError` that lists the kinds there are.
    package static func type(named name: String) throws -> NSPersistentStore.StoreType {
        if let type = known[name.lowercased()] { return type }
        let names = known.keys.sorted().joined(separator: ", ")
        throw InspectionError(
            .badValue, subject: PrintableText.escaped(name, limit: 80), cause: "the program has no such kind of store",
            hint: "there are: \(names)")
    }
}
