import CoreDataFoundation

/// Rules about fetch indexes and the compound indexes of old models.
enum IndexRules {
    static let unknown = ModelRule(
        "index-unknown-property", severity: .error,
        statement:
            "A fetch index names a property that its entity does not have, or an element that a composite does not have.",
        remedy: "Name a property of the entity, or an element of a composite attribute (`color.red`).",
        refusal: .sources)
    static let compound = ModelRule(
        "compound-index-unknown-property", severity: .warning,
        statement: "A compound index names a property that its entity does not have.",
        remedy: "Name a property of the entity, or use a fetch index.")
    static let unstored = ModelRule(
        "index-unstored-property", severity: .warning,
        statement: "An index names a property without a column: a transient, fetched, composite or to-many one.",
        remedy: "Index a stored attribute, an element of a composite one or a to-one relationship.")
    static let duplicate = ModelRule(
        "duplicate-index", severity: .error, statement: "Two fetch indexes of an entity have the same name.",
        remedy: "Rename or remove one of the indexes.")
    static let empty = ModelRule(
        "index-without-elements", severity: .warning, statement: "A fetch index has no elements.",
        remedy: "Add an element, or remove the index.")
    static let mixed = ModelRule(
        "rtree-elements", severity: .warning,
        statement: "An R-tree index mixes kinds of elements, has more than five, or one that is no number.",
        remedy: "Use one to five numeric or date attributes, all of the kind R-tree.")
    static let expression = ModelRule(
        "index-expression", severity: .warning, statement: "The expression of an index cannot be understood.",
        remedy: "Correct the expression.")
    static let partial = ModelRule(
        "partial-index-predicate", severity: .error,
        statement: "The predicate of a partial index does not parse, or needs a variable.",
        remedy: "Write a predicate of constants and the entity's own attributes.")

    static let subject = ModelRuleSubject(
        title: "Indexes", rules: [unknown, compound, unstored, duplicate, empty, mixed, expression, partial],
        check: { checker in
            for (number, entity) in checker.outline.entities.enumerated() {
                checkIndexes(of: entity, number, &checker)
                checkCompound(entity, number: number, checker: &checker)
            }
        })

    private static func checkIndexes(
        of entity: ModelOutline.Entity, _ number: Int, _ checker: inout RuleViolationCollector
    ) {
        var names = Set<String>()
        for index in entity.description.indexes {
            let place = checker.outline.place(of: index)
            if !names.insert(index.name).inserted {
                checker.report(
                    duplicate, entity: entity, message: "has two fetch indexes named '\(index.name)'", place: place)
            }
            if index.elements.isEmpty {
                checker.report(
                    empty, entity: entity, message: "has the fetch index '\(index.name)' without elements", place: place
                )
            }
            for element in index.elements {
                check(element, of: index, entity: entity, number: number, checker: &checker)
            }
            checkTree(index, entity: entity, number: number, checker: &checker)
            checkPredicate(of: index, entity, number: number, checker: &checker)
        }
    }

    private static func check(
        _ element: NSFetchIndexElementDescription, of index: NSFetchIndexDescription, entity: ModelOutline.Entity,
        number: Int, checker: inout RuleViolationCollector
    ) {
        let place = checker.outline.place(of: index)
        if let text = element.expressionText {
            if (try? NSExpression(parsing: text)) == nil {
                checker.report(
                    expression, entity: entity,
                    message: "has the fetch index '\(index.name)', whose expression does not parse",
                    place: place)
            }
            return
        }
        guard let name = element.propertyName, element.indexedExpressionText == nil else { return }
        let title = "has the fetch index '\(index.name)'"
        switch checker.scope.end(of: name, of: number) {
        case .unknownProperty:
            let hint = checker.suggestion(for: name, among: .properties(of: number))
            checker.report(
                unknown, entity: entity, message: "\(title), which names the unknown property '\(name)'", place: place,
                hint: hint)
        case .unknownElement(let known):
            let hint = checker.suggestion(for: name, among: .names(known))
            checker.report(
                unknown, entity: entity, message: "\(title), which names the unknown element '\(name)'", place: place,
                hint: hint)
        case .property(let property) where property.hasColumn: break
        case .element(let element) where !(element is NSCompositeAttributeDescription): break
        case .property, .element:
            checker.report(
                unstored, entity: entity, message: "\(title) over '\(name)', which has no column", place: place)
        }
    }

    private static func checkTree(
        _ index: NSFetchIndexDescription, entity: ModelOutline.Entity, number: Int,
        checker: inout RuleViolationCollector
    ) {
        let trees = index.elements.filter { $0.collationType == .rTree }
        guard !trees.isEmpty else { return }
        let areNumbers = trees.allSatisfy { element in
            guard let name = element.propertyName, element.expressionText == nil else { return true }
            switch checker.scope.end(of: name, of: number) {
            case .property(let property): return property.attribute?.attributeType.isNumeric ?? true
            case .element(let element): return element.attributeType.isNumeric
            case .unknownElement, .unknownProperty: return true
            }
        }
        guard trees.count != index.elements.count || trees.count > 5 || !areNumbers else { return }
        checker.report(
            mixed, entity: entity, message: "has the fetch index '\(index.name)', which is no possible R-tree",
            place: checker.outline.place(of: index))
    }

    private static func checkPredicate(
        of index: NSFetchIndexDescription, _ entity: ModelOutline.Entity, number: Int,
        checker: inout RuleViolationCollector
    ) {
        guard let text = index.partialIndexPredicateFormat else { return }
        let place = checker.outline.place(of: index)
        let title = "has the partial index '\(index.name)', whose predicate"
        guard let predicate = try? NSPredicate(parsing: text) else {
            return checker.report(partial, entity: entity, message: "\(title) does not parse", place: place)
        }
        var search = PredicateKeys(checker.scope, entity: number)
        search.visit(predicate)
        if let variable = search.unboundVariables.sorted().first {
            checker.report(partial, entity: entity, message: "\(title) needs the variable '$\(variable)'", place: place)
        }
        for key in search.unknownKeys {
            RequestRules.report(key, entity: entity, title: title, place: place, checker: &checker)
        }
    }

    private static func checkCompound(
        _ entity: ModelOutline.Entity, number: Int, checker: inout RuleViolationCollector
    ) {
        for name in entity.description.compoundIndexNames.joined() {
            guard let (_, property) = checker.scope.property(name, of: number) else {
                let hint = checker.suggestion(for: name, among: .properties(of: number))
                checker.report(
                    compound, entity: entity, message: "has a compound index on the unknown property '\(name)'",
                    hint: hint)
                continue
            }
            guard !property.hasColumn else { continue }
            checker.report(
                unstored, entity: entity, message: "has a compound index over '\(name)', which has no column")
        }
    }
}

extension ModelOutline.Property {
    /// Whether a store keeps the property in a column of the entity's table.
    var hasColumn: Bool {
        guard !description.isTransient, fetched == nil else { return false }
        if let relationship { return !relationship.isToMany }
        return !(description is NSCompositeAttributeDescription)
    }
}

extension NSAttributeType {
    /// Whether the values are numbers, or dates, which are stored as numbers.
    var isNumeric: Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType, .dateAttributeType:
            true
        default: false
        }
    }
}
