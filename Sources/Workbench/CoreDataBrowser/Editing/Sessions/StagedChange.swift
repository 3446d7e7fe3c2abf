import CoreData

/// One object with unsaved changes.
struct StagedChange {
    enum Kind: String { case inserted, updated, deleted }

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
            if let attribute = property as? NSAttributeDescription {
                guard kind == .inserted || !StagedValue.isSame(former[key], other: changed[key], attribute: attribute)
                else { return nil }
            }
            let old = StagedValue.json(former[key], property: property, name: naming)
            let new = StagedValue.json(changed[key], property: property, name: naming)
            let isAttribute = property is NSAttributeDescription
            if kind == .updated, !isAttribute, Self.isSame(former[key], changed[key]) { return nil }
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

    /// Whether a relationship leads where it led.
    private static func isSame(_ one: Any?, _ other: Any?) -> Bool {
        switch (one, other) {
        case (let one as NSOrderedSet, let other as NSOrderedSet): one.array as NSArray == other.array as NSArray
        case (let one as NSSet, let other as NSSet): one == other
        default: (one as? NSManagedObject) === (other as? NSManagedObject)
        }
    }

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

/// How an object is called where answers about edits name it.
enum StagedLabel {
    private static let preferred = ["name", "title", "label", "displayName"]
    private static let length = 120

    /// The text that names the object, or else its name in addresses; no text that is hidden from the user.
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
