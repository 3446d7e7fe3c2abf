import CoreDataFoundation

/// Rules for the user info keys that mark attributes for a search index or as a pair of coordinates.
enum SearchRules {
    static let unsuitable = ModelRule(
        "search-index-attribute", severity: .warning,
        statement: "A mark for the search index is on something else than a stored text attribute, and has no effect.",
        remedy: "Mark a text attribute that is not transient and no element of a composite one.")
    static let encrypted = ModelRule(
        "search-index-encrypted", severity: .warning,
        statement:
            "An attribute that is encrypted in the cloud is marked for the search index, which keeps its texts as they are.",
        remedy: "Remove the mark, unless the folder of the store is protected.")
    static let value = ModelRule(
        "search-index-value", severity: .warning, statement: "The mark for the search index is neither YES nor NO.",
        remedy: "Set the value to YES, or remove the mark.")
    static let key = ModelRule(
        "search-unknown-key", severity: .warning,
        statement: "A user info has a key that looks like a mark for searches and is none.",
        remedy: "Correct the key.")
    static let pair = ModelRule(
        "search-pair", severity: .warning,
        statement: "A mark for a pair of coordinates does not join two stored number attributes of one entity.",
        remedy: "Mark one number attribute with the name of the other.")

    private static let prefix = "CoreDataSearch"
    private static let keys = [CoreDataSearchIndexUserInfoKey, CoreDataSearchPairUserInfoKey]

    static let subject = ModelRuleSubject(
        title: "Searching", rules: [unsuitable, encrypted, value, key, pair],
        check: { checker in
            for entity in checker.outline.entities { check(entity, &checker) }
            checker.forEachProperty { checker, number, entity, property in
                check(property, entity: entity, number: number, checker: &checker)
            }
            for composite in checker.outline.composites { check(composite, &checker) }
        })

    private static func check(_ entity: ModelOutline.Entity, _ checker: inout RuleViolationCollector) {
        for name in marks(entity.description.userInfo) {
            guard keys.contains(name) else {
                let hint = checker.suggestion(for: name, among: .names(keys))
                checker.report(
                    key, entity: entity, message: "has the unknown mark '\(name)' in its user info", hint: hint)
                continue
            }
            checker.report(unsuitable, entity: entity, message: "has the mark '\(name)', which is for attributes")
        }
    }

    private static func check(
        _ property: ModelOutline.Property, entity: ModelOutline.Entity, number: Int,
        checker: inout RuleViolationCollector
    ) {
        let info = property.description.userInfo
        for name in marks(info) where !keys.contains(name) {
            let hint = checker.suggestion(for: name, among: .names(keys))
            checker.report(
                key, entity: entity, property: property, message: "has the unknown mark '\(name)' in its user info",
                hint: hint)
        }
        if let mark = info?[CoreDataSearchIndexUserInfoKey] {
            checkIndex(mark, property: property, entity: entity, checker: &checker)
        }
        if let mark = info?[CoreDataSearchPairUserInfoKey] {
            checkPair(mark, property: property, entity: entity, number: number, checker: &checker)
        }
    }

    private static func checkIndex(
        _ mark: Any, property: ModelOutline.Property, entity: ModelOutline.Entity,
        checker: inout RuleViolationCollector
    ) {
        guard let isOn = SearchMark.flag(mark) else {
            return checker.report(
                value, entity: entity, property: property,
                message: "has a mark for the search index that is neither YES nor NO")
        }
        guard isOn else { return }
        guard let attribute = property.attribute, attribute.canBeSearchIndexed else {
            return checker.report(
                unsuitable, entity: entity, property: property,
                message: "is marked for the search index, and is no text that is stored")
        }
        guard attribute.allowsCloudEncryption else { return }
        checker.report(
            encrypted, entity: entity, property: property,
            message: "is encrypted in the cloud, and the search index keeps its texts as they are")
    }

    private static func checkPair(
        _ mark: Any, property: ModelOutline.Property, entity: ModelOutline.Entity, number: Int,
        checker: inout RuleViolationCollector
    ) {
        guard property.attribute?.canBeCoordinate == true else {
            return checker.report(
                pair, entity: entity, property: property,
                message: "is marked as one of a pair of coordinates, and is no number that is stored")
        }
        let name = mark as? String ?? ""
        guard let (_, other) = checker.scope.property(name, of: number) else {
            let hint = checker.suggestion(for: name, among: .properties(of: number))
            return checker.report(
                pair, entity: entity, property: property,
                message: "makes a pair of coordinates with the unknown attribute '\(name)'", hint: hint)
        }
        guard other.name == property.name || other.attribute?.canBeCoordinate != true else { return }
        checker.report(
            pair, entity: entity, property: property,
            message: "makes a pair of coordinates with '\(name)', which is no other number that is stored")
    }

    private static func check(_ composite: ModelOutline.Composite, _ checker: inout RuleViolationCollector) {
        for element in composite.elements {
            for name in marks(element.description.userInfo) {
                let message =
                    "The element '\(element.name)' of '\(composite.name)' has the mark '\(name)', without effect"
                checker.report(unsuitable, entity: nil, message: message, place: element.place ?? composite.place)
            }
        }
    }

    /// The keys of a user info with the prefix of search marks, sorted.
    private static func marks(_ userInfo: [AnyHashable: Any]?) -> [String] {
        (userInfo ?? [:]).keys.compactMap { $0 as? String }.filter { $0.hasPrefix(prefix) }.sorted()
    }
}
