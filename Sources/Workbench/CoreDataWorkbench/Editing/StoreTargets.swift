import CoreData

/// Finds objects by their addresses in a store; each address is looked up only once.
///
/// Invariant: found objects are retained, because a context does not retain its objects.
final class StoreTargets: EditTargets {
    private let store: OpenStore
    private var found: [String: NSManagedObject] = [:]

    init(_ store: OpenStore) { self.store = store }

    /// Assigns the address in the input to an object that is being inserted.
    ///
    /// - Throws: `InspectionError` if two objects have the same address.
    func name(_ object: NSManagedObject, _ label: String) throws {
        guard found.updateValue(object, forKey: label) == nil else {
            throw InspectionError(
                .badValue, subject: PrintableText.escaped(label, limit: 120),
                cause: "two objects of the input have this address",
                hint: "leave 'objectID' out of the copies")
        }
    }

    /// The object of an address; `p7` alone means an object of the relationship's destination entity.
    func object(_ text: String, for relationship: NSRelationshipDescription) throws -> NSManagedObject {
        let name = relationship.destinationEntity?.name ?? ""
        let isShort = text.first == "p" && text.count > 1 && text.dropFirst().allSatisfy(\.isWholeNumber)
        return try known(isShort ? "\(name)/\(text)" : text, relationship)
    }

    private func known(_ address: String, _ relationship: NSRelationshipDescription) throws -> NSManagedObject {
        if let object = found[address] { return object }
        if let other = try? ObjectAddress(address).store, other.lowercased() != store.store.identifier?.lowercased() {
            throw InspectionError(
                .noObject, subject: "\(relationship.name): \(PrintableText.escaped(address, limit: 120))",
                cause: "the address is of another store, and no object of the input has it",
                hint: "put that object into the same input, or leave the relationship out")
        }
        do {
            let object = try store.object(at: address)
            found[address] = object
            return object
        } catch var error as InspectionError {
            error.subject = "\(relationship.name): \(error.subject)"
            if address.isEmpty {
                error = InspectionError(
                    .badValue, subject: relationship.name, cause: error.cause, hint: "\(ValueParsing.null) is nil")
            }
            throw error
        }
    }
}
