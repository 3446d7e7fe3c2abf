import CoreData

/// The choice of objects for a relationship in a form: of its members themselves, or of what new members are made for.
struct RelationshipChoice {
    /// The class of rows whose relationship is chosen.
    static let className = "RelationshipCell"
    /// The most objects that are chosen for one relationship.
    private static let limit = 1_000

    let relationship: NSRelationshipDescription
    /// The to-one relationship by which each new member names what was chosen; nil where members themselves are chosen.
    let through: NSRelationshipDescription?

    /// The choice that a row offers for an object: where its class says so, and for a new object where the model demands members and
    /// there are none. Nil for another row. To-many relationships of saved objects have their members in dynamic sections.
    init?(_ row: DetailList.Row, of object: NSManagedObject) {
        guard let relationship = object.entity.relationshipsByName[row.key] else { return nil }
        let isNew = object.objectID.isTemporaryID
        let isDemanded = isNew && !relationship.isOptional && Self.isEmpty(relationship, of: object)
        guard row.className == Self.className || isDemanded, isNew || !relationship.isToMany else { return nil }
        self.relationship = relationship
        through = row.through.flatMap { relationship.destinationEntity?.relationshipsByName[$0] }
        guard entity != nil else { return nil }
    }

    private static func isEmpty(_ relationship: NSRelationshipDescription, of object: NSManagedObject) -> Bool {
        switch try? object.codedValue(forKey: relationship.name) {
        case let set as NSSet: set.count == 0
        case let set as NSOrderedSet: set.count == 0
        case nil: true
        default: false
        }
    }

    /// The entity from which is chosen.
    var entity: NSEntityDescription? { (through ?? relationship).destinationEntity }

    /// The names of the objects in a value that the page sends: a name, a list of them, or null.
    ///
    /// - Throws: `InspectionError` for another value.
    private func names(_ value: JSONValue) throws -> [String] {
        switch value {
        case .null, .string(""): return []
        case .string(let name): return [name]
        case .array(let elements) where relationship.isToMany && elements.count <= Self.limit:
            return try elements.map { element in
                guard case .string(let name) = element else { throw refused("an object is expected") }
                return name
            }
        default: throw refused("an object is expected")
        }
    }

    private func refused(_ cause: String) -> InspectionError {
        InspectionError(.badValue, subject: relationship.name, cause: cause)
    }

    /// Puts what was chosen into an object, in a context that is thrown away.
    ///
    /// - Returns: the names of what was chosen, and the members that were made for it.
    /// - Throws: `InspectionError`; `BrowserFailure` 404 for an object that is not there.
    func enter(
        _ value: JSONValue, into object: NSManagedObject, _ reading: StoreReading
    ) throws -> (names: [String], made: [NSManagedObject]) {
        let names = try names(value)
        let chosen = try names.map { try AppObjects.find($0, reading) }
        guard let entity, chosen.allSatisfy({ $0.entity.isKindOf(entity: entity) }) else {
            throw refused("only an object of '\(entity?.name ?? "")' can be chosen")
        }
        var members = chosen
        if let through, let name = relationship.destinationEntity?.name {
            members = try chosen.map { one in
                let member = NSEntityDescription.insertNewObject(forEntityName: name, into: reading.context)
                try member.setCodedValue(one, forKey: through.name)
                return member
            }
        }
        guard relationship.isToMany else {
            try object.setCodedValue(members.first, forKey: relationship.name)
            return (names, through == nil ? [] : members)
        }
        let content: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        try object.setCodedValue(content, forKey: relationship.name)
        return (names, through == nil ? [] : members)
    }

    /// The steps that link what was chosen to an object.
    ///
    /// - Parameters:
    ///   - object: its name in the steps.
    ///   - count: how many steps are before: what a step inserts is named by the step's place.
    func steps(_ names: [String], to object: String, after count: Int) -> [JSONValue] {
        guard let through, let entity = relationship.destinationEntity?.name else {
            return relationship.isToMany
                ? names.map { Steps.link("add", object: object, key: relationship.name, member: $0) }
                : [Steps.set(object, key: relationship.name, value: names.first.map { .string($0) } ?? .null)]
        }
        return names.enumerated().flatMap { place, name in
            let member = "@\(count + 2 * place)"
            return [
                Steps.insert(entity, [through.name: .string(name)]),
                relationship.isToMany
                    ? Steps.link("add", object: object, key: relationship.name, member: member)
                    : Steps.set(object, key: relationship.name, value: .string(member)),
            ]
        }
    }
}
