import CoreData

/// Finds objects by their names in addresses.
enum AppObjects {
    /// The object of a name such as `Hero/p7`.
    ///
    /// - Throws: `BrowserFailure` 404 if the object does not exist, `InspectionError` for another form of name.
    static func find(_ name: String, _ reading: StoreReading) throws -> NSManagedObject {
        let address = try ObjectAddress(name)
        let entity = try reading.opened.entity(named: address.entity)
        var parts = URLComponents()
        parts.scheme = "x-coredata"
        parts.host = reading.opened.store.identifier
        parts.path = "/\(address.entity)/p\(address.key)"
        guard let id = parts.url.flatMap({ reading.opened.coordinator.managedObjectID(forURIRepresentation: $0) }),
            let object = try? reading.context.existingObject(with: id), object.entity.isKindOf(entity: entity)
        else {
            throw BrowserFailure(
                404, code: "noObject", reason: "there is no object '\(PrintableText.escaped(name, limit: 80))'")
        }
        return object
    }
}
