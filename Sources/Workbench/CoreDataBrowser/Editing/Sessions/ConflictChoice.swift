import CoreData

/// What the user chose for an object in conflict.
struct ConflictChoice: Sendable {
    let object: String
    /// For the complete object: true for the tab's state, false for the stored one; nil if properties are chosen.
    let takesMine: Bool?
    /// The properties of which the stored value is chosen.
    let theirs: Set<String>

    /// Reads `{"object", "properties": {key: "mine" or "theirs"}}` or `{"object", "take": "mine" or "theirs"}`.
    ///
    /// - Throws: `BrowserFailure` 422.
    init(_ json: JSONValue) throws {
        let parts = JSONParts(json)
        object = try parts.text("object")
        takesMine = try parts.optionalText("take").map { try Self.isMine($0) }
        theirs = Set(
            try parts.members("properties").filter { member in
                guard case .string(let side) = member.value else { throw JSONParts.missing(member.key) }
                return try !Self.isMine(side)
            }.map(\.key))
    }

    private static func isMine(_ side: String) throws -> Bool {
        switch side {
        case "mine": return true
        case "theirs": return false
        default: throw JSONParts.missing("mine or theirs")
        }
    }
}

/// Merges what the tab staged with what others saved, by the choices of the user.
struct ConflictResolution {
    private let session: EditSession
    private let choices: [ConflictChoice]

    init(_ session: EditSession, _ choices: [ConflictChoice]) {
        self.session = session
        self.choices = choices
    }

    /// - Throws: `InspectionError` for an object that the tab has not changed.
    func apply() throws {
        guard !choices.isEmpty else { return }
        let context = session.context
        let changed = context.updatedObjects.union(context.deletedObjects)
        let byName = Dictionary(
            changed.map { (session.names.name(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        try session.withoutUndo {
            for choice in choices {
                guard let object = byName[choice.object] else { throw StepObjects.missing(choice.object) }
                try apply(choice, to: object)
            }
        }
    }

    private func apply(_ choice: ConflictChoice, to object: NSManagedObject) throws {
        let context = session.context
        let isGone = try StoredState(object.objectID, session.opened) == nil
        switch (isGone, choice.takesMine) {
        case (true, true?) where !object.isDeleted: insertAgain(object)
        case (true, _): context.refresh(object, mergeChanges: false)
        case (false, false?):
            if object.isDeleted { context.insert(object) }
            context.refresh(object, mergeChanges: false)
        case (false, _):
            // The changes of the tab stay, and now count as changes of the newer stored state.
            context.refresh(object, mergeChanges: true)
            guard !object.isDeleted else { return }
            let stored = object.committedValues(forKeys: choice.theirs.sorted())
            for (key, value) in stored where object.entity.propertiesByName[key] != nil {
                object.setValue(value is NSNull ? nil : value, forKey: key)
            }
        }
    }

    /// Inserts a copy, with the values of the tab, of an object that others deleted; its relationships lead to and from
    /// the copy.
    private func insertAgain(_ object: NSManagedObject) {
        let context = session.context
        let copy = NSEntityDescription.insertNewObject(forEntityName: object.entity.name ?? "", into: context)
        for (key, property) in object.entity.propertiesByName where SettableProperty.isSettable(property) {
            copy.setValue(object.value(forKey: key), forKey: key)
        }
        context.refresh(object, mergeChanges: false)
        session.names.give(copy)
    }
}
