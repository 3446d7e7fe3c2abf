import CoreData

/// Which object a form is to show: a saved one, or a new one that has not been saved.
struct FormQuestion: Sendable {
    /// The value of `key` that asks for a new object.
    static let new = "new"

    let form: String
    let entity: String
    let key: String
    /// The object whose relationship a new object is to be a member of.
    var owner: String?
    var relationship: String?
    var language: String?
    /// Whether numbers in the entered values have a point and no groups, in place of the language's form.
    var hasPlainNumbers = false

    /// Finds the object, or inserts a new one into the context of the call, which is discarded with the call.
    ///
    /// - Throws: `BrowserFailure` 404 if the object does not exist, 422 for a new object of an abstract entity.
    func object(_ reading: StoreReading) throws -> NSManagedObject {
        guard key == Self.new else { return try AppObjects.find("\(entity)/\(key)", reading) }
        let description = try reading.opened.entity(named: entity)
        guard !description.isAbstract else {
            throw BrowserFailure(
                422, code: "abstractEntity", reason: "'\(entity)' is abstract: no object is made of it")
        }
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: reading.context)
        if let owner, let found = try membership(description, reading) {
            let holder = try AppObjects.find(owner, reading)
            if let inverse = found.inverseRelationship, !inverse.isToMany {
                try object.setCodedValue(holder, forKey: inverse.name)
            }
        }
        return object
    }

    /// The relationship that a new object is to be a member of.
    ///
    /// - Throws: `BrowserFailure` 422 where the owner's entity has no such relationship to the entity.
    func membership(_ entity: NSEntityDescription, _ reading: StoreReading) throws -> NSRelationshipDescription? {
        guard let owner, let relationship else { return nil }
        let holder = try AppObjects.find(owner, reading)
        guard let found = holder.entity.relationshipsByName[relationship],
            let destination = found.destinationEntity, entity.isKindOf(entity: destination)
        else {
            throw BrowserFailure(
                422, code: "unknownKey",
                reason: "'\(PrintableText.escaped(relationship, limit: 80))' is not a relationship to it")
        }
        return found
    }
}
