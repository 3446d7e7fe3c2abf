import CoreData

/// One object with unsaved changes.
struct StagedChange {
    enum Kind: String {
        case inserted, updated, deleted

        fileprivate var rank: Int {
            switch self {
            case .inserted: 0
            case .updated: 1
            case .deleted: 2
            }
        }
    }

    /// One property with its former value and the staged one.
    struct Property {
        let key: String
        let old: JSONValue
        let new: JSONValue
    }

    let kind: Kind
    let object: NSManagedObject
    let name: String
    private let label: String
    let properties: [Property]

    init(
        _ kind: Kind, object: NSManagedObject, naming: (NSManagedObject) -> String, access: BrowserAccess
    ) {
        self.kind = kind
        self.object = object
        name = naming(object)
        label = StagedLabel.text(object, name: name, access: access)
        properties = kind == .deleted ? [] : Self.properties(kind, object: object, naming: naming, access: access)
    }

    /// An object with unsaved changes that the user may see; nil for any other.
    init?(_ object: NSManagedObject, naming: (NSManagedObject) -> String, access: BrowserAccess) {
        guard let kind = Self.kind(of: object), access.may(.read, entity: object.entity) else { return nil }
        self.init(kind, object: object, naming: naming, access: access)
        guard kind != .updated || !properties.isEmpty else { return nil }
    }

    /// What a save does with an object: inserts, updates or deletes it; nil if nothing.
    static func kind(of object: NSManagedObject) -> Kind? {
        guard object.managedObjectContext != nil else { return nil }
        // A save ignores an object that was inserted and deleted again.
        if object.isDeleted { return object.isInserted || object.objectID.isTemporaryID ? nil : .deleted }
        return object.isInserted ? .inserted : object.hasChanges ? .updated : nil
    }

    /// The objects with unsaved changes of a context: inserted, updated, deleted, each kind in the order of names.
    static func all(
        in context: NSManagedObjectContext, naming: (NSManagedObject) -> String, access: BrowserAccess
    ) -> [StagedChange] {
        let objects = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
        return sorted(objects.compactMap { StagedChange($0, naming: naming, access: access) })
    }

    /// Changes in the order of answers: by kind, then by name.
    static func sorted(_ changes: [StagedChange]) -> [StagedChange] {
        changes.sorted { one, other in
            one.kind == other.kind
                ? one.name.compare(other.name, options: .numeric) == .orderedAscending
                : one.kind.rank < other.kind.rank
        }
    }

    private static func properties(
        _ kind: Kind, object: NSManagedObject, naming: (NSManagedObject) -> String, access: BrowserAccess
    ) -> [Property] {
        let entity = object.entity
        let changed = object.changedValues()
        let keys = changed.keys.filter { key in
            entity.propertiesByName[key].map(SettableProperty.isSettable) == true
                && access.may(.read, entity: entity, key: key)
        }.sorted()
        let former = kind == .updated ? object.committedValues(forKeys: keys) : [:]
        return keys.compactMap { key in
            guard let property = entity.propertiesByName[key] else { return nil }
            if kind == .updated, isSame(former[key], changed[key], property) { return nil }
            let old = StagedValue.json(former[key], property: property, name: naming)
            let new = StagedValue.json(changed[key], property: property, name: naming)
            if kind == .inserted, isEmpty(new) { return nil }
            return Property(key: key, old: old, new: new)
        }
    }

    private static func isEmpty(_ json: JSONValue) -> Bool {
        switch json {
        case .null: true
        case .array(let elements): elements.isEmpty
        default: false
        }
    }

    /// Whether the former and the changed value of a property are equal.
    private static func isSame(_ one: Any?, _ other: Any?, _ property: NSPropertyDescription) -> Bool {
        switch (one, other) {
        case (let one as NSOrderedSet, let other as NSOrderedSet): one.array as NSArray == other.array as NSArray
        case (let one as NSSet, let other as NSSet): one == other
        default: PropertyReading(given(one), of: property).isSame(as: PropertyReading(given(other), of: property))
        }
    }

    /// A value of a dictionary of changes, with nil in place of `NSNull`.
    private static func given(_ value: Any?) -> Any? { value is NSNull ? nil : value }

    /// The JSON as a text, to be compared.
    var line: String { JSONWriter.line(json) }

    /// `{"object", "entity", "label", "kind", "properties": [{"key", "old", "new"}]}`
    var json: JSONValue {
        .object([
            ("object", .string(name)), ("entity", .text(object.entity.name)),
            ("label", .string(label)), ("kind", .string(kind.rawValue)),
            (
                "properties",
                .array(
                    properties.map { .object([("key", .string($0.key)), ("old", $0.old), ("new", $0.new)]) })
            ),
        ])
    }
}

/// The label of an object in answers about edits.
enum StagedLabel {
    private static let preferred = ["name", "title", "label", "displayName"]
    private static let length = 120

    /// The text that names the object, of an attribute that the user may read; else its name in addresses, with a blank
    /// for the slash.
    static func text(_ object: NSManagedObject, name: String, access: BrowserAccess) -> String {
        let texts = object.entity.attributesByName.values.filter {
            $0.attributeType == .stringAttributeType && !$0.isTransient
                && access.may(.read, entity: object.entity, key: $0.name)
        }.map(\.name).sorted()
        let key =
            preferred.first(where: texts.contains)
            ?? texts.first { $0.hasSuffix("Name") || $0.hasSuffix("Title") } ?? texts.first
        guard let key, let text = object.value(forKey: key) as? String, !text.isEmpty else {
            return name.replacing("/", with: " ")
        }
        return PrintableText.escaped(String(text.unicodeScalars.prefix(length)))
    }
}
