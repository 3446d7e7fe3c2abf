import CoreDataStore

extension NSEntityDescription {
    /// The key in an entity's user info of a predicate that its objects must satisfy.
    ///
    /// Further predicates have keys that continue it after a point, such as `validationPredicate.guardian`. They are
    /// evaluated for new and changed objects; one that names a relationship, for changed objects only when a property that it
    /// names was changed. Sub-entities inherit them.
    public static let validationPredicateKey = "validationPredicate"

    /// The key in an entity's user info of the error text for the predicate; continued like the predicate's key.
    public static let validationMessageKey = "validationMessage"
}

/// A predicate over several properties that the model states in an entity's user info.
struct EntityRule {
    let format: String
    /// Nil if the model's text does not parse; then no object satisfies the rule.
    let predicate: NSPredicate?
    let message: String?
    /// The properties that the predicate names.
    let keys: [String]
    private let namesRelationship: Bool

    /// The rules of an entity and of those it inherits from, which come first.
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
        // Every word counts, even one in a text: a rule that is asked too often does no harm.
        let words = Set(format.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        keys = entity.propertiesByName.keys.filter(words.contains).sorted()
        namesRelationship = keys.contains { entity.attributesByName[$0] == nil }
    }

    /// Whether an object satisfies the rule; one that cannot be evaluated is satisfied by none.
    func holds(for object: NSManagedObject) -> Bool {
        guard let predicate else { return false }
        return (try? evaluation(of: predicate, on: object)) ?? false
    }

    /// Whether the rule is to be asked: one that names a relationship, whose objects it may have to read, for a new object, or
    /// when a property that it names was changed.
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
