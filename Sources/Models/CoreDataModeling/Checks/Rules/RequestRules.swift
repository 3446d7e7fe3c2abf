import CoreDataFoundation

/// Rules about the fetch requests of models and of fetched properties, and about the keys in their predicates.
enum RequestRules {
    static let duplicate = ModelRule(
        "duplicate-request", severity: .error, statement: "Two fetch requests have the same name.",
        remedy: "Rename one of the requests.", refusal: .always)
    static let unknownEntity = ModelRule(
        "request-unknown-entity", severity: .error,
        statement: "A fetch request names no entity, or one that the model does not have.",
        remedy: "Name an entity of the model.")
    static let syntax = ModelRule(
        "predicate-syntax", severity: .error, statement: "A predicate does not parse.",
        remedy: "Correct the predicate.")
    static let unknownKey = ModelRule(
        "predicate-unknown-key", severity: .error, statement: "A predicate names a key that its entity does not have.",
        remedy: "Name a property of the entity.")
    static let unindexed = ModelRule(
        "searched-key-without-index", severity: .note,
        statement: "A fetch request searches by an attribute that no index covers.",
        remedy: "Add a fetch index if the entity has many objects.")
    static let fetchedWithoutRequest = ModelRule(
        "fetched-property-without-request", severity: .error, statement: "A fetched property has no fetch request.",
        remedy: "Choose its destination.")

    static let subject = ModelRuleSubject(
        title: "Fetch requests and predicates",
        rules: [duplicate, unknownEntity, syntax, unknownKey, unindexed, fetchedWithoutRequest],
        check: { checker in
            checkRequests(&checker)
            checker.forEachProperty { checker, number, entity, property in
                guard let fetched = property.fetched else { return }
                check(fetched, property: property, entity: entity, number: number, checker: &checker)
            }
        })

    private static func checkRequests(_ checker: inout RuleViolationCollector) {
        var names = Set<String>()
        for request in checker.outline.requests {
            let title = "the fetch request '\(request.name)'"
            if !names.insert(request.name).inserted {
                checker.report(
                    duplicate, entity: nil, message: "there are two fetch requests named '\(request.name)'",
                    place: request.place)
            }
            guard let number = entity(of: request.template, title, entity: nil, place: request.place, checker: &checker)
            else { continue }
            let found = search(
                request.template, of: number, title: title, entity: nil, place: request.place, variables: [:],
                checker: &checker)
            if let found { checkIndexes(request, number: number, keys: found.comparedKeys, checker: &checker) }
        }
    }

    private static func check(
        _ fetched: NSFetchedPropertyDescription, property: ModelOutline.Property, entity: ModelOutline.Entity,
        number: Int, checker: inout RuleViolationCollector
    ) {
        guard let template = fetched.fetchRequestTemplate else {
            guard fetched.fetchRequestObject == nil else { return }
            return checker.report(
                fetchedWithoutRequest, entity: entity, property: property, message: "has no fetch request")
        }
        let title = "has a fetched property '\(property.name)' that"
        let place = property.place ?? entity.place
        guard let target = self.entity(of: template, title, entity: entity, place: place, checker: &checker) else {
            return
        }
        _ = search(
            template, of: target, title: title, entity: entity, place: place, variables: ["FETCH_SOURCE": number],
            checker: &checker)
    }

    private static func entity(
        of template: FetchRequestTemplate, _ title: String, entity: ModelOutline.Entity?, place: SourcePlace?,
        checker: inout RuleViolationCollector
    ) -> Int? {
        if let number = checker.scope.number(of: template.entityName) { return number }
        let hint = template.entityName.flatMap { name in
            checker.suggestion(for: name, among: .entities)
        }
        let text = template.entityName.map { "fetches the unknown entity '\($0)'" } ?? "names no entity"
        checker.report(unknownEntity, entity: entity, message: "\(title) \(text)", place: place, hint: hint)
        return nil
    }

    /// Checks the predicate of a fetch request and returns its keys; nil if the predicate is missing or does not parse.
    private static func search(
        _ template: FetchRequestTemplate, of number: Int, title: String, entity: ModelOutline.Entity?,
        place: SourcePlace?, variables: [String: Int], checker: inout RuleViolationCollector
    ) -> PredicateKeys? {
        guard let format = template.predicateFormat else { return nil }
        do {
            let predicate = try NSPredicate(parsing: format)
            var search = PredicateKeys(checker.scope, entity: number, variables: variables)
            search.visit(predicate)
            for key in search.unknownKeys {
                report(key, entity: entity, title: "\(title) has a predicate that", place: place, checker: &checker)
            }
            return search
        } catch {
            let reason = (error as? PredicateParseError).map {
                " at character \($0.position + 1): found \($0.found), expected \($0.expected)"
            }
            let text = "\(title) has a predicate that does not parse\(reason ?? "")"
            checker.report(syntax, entity: entity, message: text, place: place)
            return nil
        }
    }

    /// Reports an unknown key of a predicate.
    static func report(
        _ key: PredicateKeys.UnknownKey, entity: ModelOutline.Entity?, title: String, place: SourcePlace?,
        checker: inout RuleViolationCollector
    ) {
        let owner = checker.outline.entities[key.entity].name
        let hint = checker.suggestion(for: key.key, among: .properties(of: key.entity))
        checker.report(
            unknownKey, entity: entity, message: "\(title) names the key '\(key.key)', which '\(owner)' does not have",
            place: place,
            hint: hint)
    }

    private static func checkIndexes(
        _ request: ModelOutline.Request, number: Int, keys: [String], checker: inout RuleViolationCollector
    ) {
        for key in keys where !isIndexed(key, of: number, checker.scope) {
            let name = checker.outline.entities[number].name
            let text = "the fetch request '\(request.name)' searches by '\(name).\(key)', which no index covers"
            checker.report(unindexed, entity: nil, message: text, place: request.place)
        }
    }

    /// Whether an index or a uniqueness constraint begins with an attribute; true also for a key that is not an
    /// attribute.
    private static func isIndexed(_ key: String, of entity: Int, _ scope: ModelScope) -> Bool {
        guard let (_, property) = scope.property(key, of: entity), let attribute = property.attribute,
            property.hasColumn, !attribute.isIndexed
        else { return true }
        return scope.lineage(of: entity).contains { number in
            let description = scope.outline.entities[number].description
            return description.indexes.contains { $0.elements.first?.propertyName == key }
                || description.compoundIndexNames.contains { $0.first == key }
                || description.uniquenessConstraintNames.contains { $0.first == key }
        }
    }
}
