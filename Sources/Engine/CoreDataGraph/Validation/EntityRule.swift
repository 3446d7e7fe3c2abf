import CoreDataStore

extension NSEntityDescription {
    /// The key in an entity's user info of a predicate that its objects must satisfy.
    ///
    /// Further predicates have keys that begin with this key and a point, such as `validationPredicate.guardian`.
    /// Subentities inherit predicates. They are evaluated when new and changed objects are validated; for a changed
    /// object, a predicate that names a relationship is evaluated only if a property that it names was changed.
    public static let validationPredicateKey = "validationPredicate"

    /// The key in an entity's user info of the error text for the predicate; a further text's key has the suffix of its
    /// predicate's key.
    public static let validationMessageKey = "validationMessage"
}

/// A predicate over several properties in an entity's user info.
struct EntityRule {
    let format: String
    /// Nil if the predicate in the model cannot be parsed; then no object satisfies the rule.
    let predicate: NSPredicate?
    let message: String?
    /// The names of the properties that occur as words in the predicate's text.
    let keys: [String]
    private let namesRelationship: Bool

    /// Returns the rules of an entity, after those that it inherits.
    static func rules(of entity: NSEntityDescription) -> [EntityRule] {
        entity.lineage.flatMap { declaring in rules(declaredBy: declaring, for: entity) }
    }

    private static func rules(
        declaredBy declaring: NSEntityDescription, for entity: NSEntityDescription
    ) -> [EntityRule] {
        guard let texts = declaring.userInfo as? [String: Any] else { return [] }
        let first = NSEntityDescription.validationPredicateKey
        return texts.keys.filter { $0 == first || $0.hasPrefix(first + ".") }.sorted().compactMap { key in
            guard let format = texts[key] as? String else { return nil }
            let message = texts[NSEntityDescription.validationMessageKey + key.dropFirst(first.count)] as? String
            return EntityRule(format, message: message, entity)
        }
    }

    private init(_ format: String, message: String?, _ entity: NSEntityDescription) {
        self.format = format
        self.message = message
        predicate = try? NSPredicate(parsing: format)
        // A word in a string literal is taken for a property too: evaluating a rule too often is harmless.
        let words = Set(format.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        keys = entity.propertiesByName.keys.filter(words.contains).sorted()
        namesRelationship = keys.contains { entity.attributesByName[$0] == nil }
    }

    /// Whether an object satisfies the rule; false if the predicate cannot be evaluated.
    func holds(for object: NSManagedObject) -> Bool {
        guard let predicate else { return false }
        return (try? evaluation(of: predicate, on: object)) ?? false
    }

    /// Whether the rule must be evaluated: always, unless it names a relationship, whose objects may have to be read;
    /// then only for a new object, or if a property that it names was changed.
    func isOpen(in object: NSManagedObject) -> Bool {
        object.isInserted || !namesRelationship || keys.contains { object.hasChange(ofProperty: $0) }
    }
}

extension NSManagedObject {
    /// Whether a property of the model was changed since the last save.
    func hasChange(ofProperty key: String) -> Bool {
        switch layout.places[key] {
        case .attribute(let slot), .toOne(let slot): working?.isChanged(slot) == true
        case .toMany(let number): toManyLinks(number)?.hasChanges == true
        case .fetched, nil: false
        }
    }
}
