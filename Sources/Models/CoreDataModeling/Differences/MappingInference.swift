import CoreDataFoundation

/// Checks two models against the rules by which a mapping can be inferred.
///
/// | change | can be inferred |
/// |---|---|
/// | entity, attribute or relationship added, removed, renamed by identifier | yes |
/// | attribute or relationship required that was not, or added as such | attribute with a default value only |
/// | required to optional | yes |
/// | another type of an attribute | numbers that fit the new type only; never to Boolean (`NumberConversion`) |
/// | element of a composite added, removed, renamed by identifier | yes, as an attribute |
/// | to-one to to-many, ordered or not | yes |
/// | to-many to to-one | no: nothing says which object stays |
/// | relationship to another entity | up or down the line of inheritance only |
/// | property moved up or down the line of inheritance, entity put in or taken out | yes |
/// | two lines of inheritance made one | no |
struct MappingInference {
    typealias Finding = MigrationAnalysis.Finding

    private let matching: ModelMatching
    private(set) var obstacles: [Finding] = []
    private(set) var losses: [Finding] = []
    private(set) var remarks: [Finding] = []
    /// The reported findings: a property is inherited by many entities but reported once.
    private var reported = Set<Finding>()

    init(_ matching: ModelMatching) { self.matching = matching }

    mutating func run(_ new: NSManagedObjectModel) {
        let entities = new.entities.sorted { ($0.name ?? "").precedesInBytes($1.name ?? "") }
        checkIdentifiers(entities.map { ($0.declaredRenamingIdentifier, ModelItem($0)) })
        for entity in entities {
            checkIdentifiers(entity.ownProperties.map { ($0.declaredRenamingIdentifier, ModelItem($0)) })
        }
        checkHierarchies()
        for (old, new) in matching.entities { check(old, new) }
        for entity in matching.removed where !entity.isAbstract {
            let twin = matching.added.first { Self.resembles($0, entity) }?.name
            let hint = twin.map { "if '\($0)' is the same, give it the renaming identifier '\(entity.name ?? "")'" }
            report(\.losses, item: ModelItem(entity), reason: "all objects of the entity are dropped", hint: hint)
        }
    }

    /// Checks one entity with its inherited properties.
    mutating func run(_ old: NSEntityDescription, _ new: NSEntityDescription) { check(old, new) }

    // MARK: Entities

    /// Reports items with the same renaming identifier, since only one of them can be the item of that name.
    private mutating func checkIdentifiers(_ items: [(identifier: String?, item: ModelItem)]) {
        let claimed = Dictionary(grouping: items.filter { $0.identifier != nil }) { $0.identifier ?? "" }
        for (identifier, rivals) in claimed.sorted(by: { $0.key < $1.key }) where rivals.count > 1 {
            let names = rivals.map { "'\($0.item.name)'" }.sorted().joined(separator: ", ")
            for rival in rivals {
                report(
                    \.obstacles, item: rival.item, reason: "\(names) have the same renaming identifier '\(identifier)'")
            }
        }
    }

    private mutating func checkHierarchies() {
        let byRoot = Dictionary(grouping: matching.entities) { ObjectIdentifier($0.new.rootEntity) }
        let ordered = byRoot.values.sorted { ($0.first?.new.name ?? "") < ($1.first?.new.name ?? "") }
        for pairs in ordered {
            let roots = Dictionary(
                pairs.map { (ObjectIdentifier($0.old.rootEntity), $0.old.rootEntity) },
                uniquingKeysWith: { first, _ in first })
            guard roots.count > 1, let root = pairs.first?.new.rootEntity else { continue }
            let names = roots.values.compactMap(\.name).sorted().map { "'\($0)'" }.joined(separator: ", ")
            report(
                \.obstacles, item: ModelItem(root),
                reason: "it unites what inherited from \(names), and inference cannot merge lines of inheritance")
        }
    }

    private mutating func check(_ old: NSEntityDescription, _ new: NSEntityDescription) {
        if new.isAbstract, !old.isAbstract {
            report(
                \.losses, item: ModelItem(new),
                reason: "it becomes abstract: its own objects, not those below it, are dropped")
        }
        let pairs = ModelMatching.properties(old, new)
        let known = Dictionary(
            pairs.map { (ObjectIdentifier($0.new), $0.old) }, uniquingKeysWith: { first, _ in first })
        for property in new.properties where property.isStored {
            if let before = known[ObjectIdentifier(property)], before.isStored {
                check(before, property)
            } else {
                checkAdded(property)
            }
        }
        checkLosses(old, new: new, pairs: pairs)
        let constraints = Set(old.uniquenessConstraintNames)
        for names in new.uniquenessConstraintNames where !constraints.contains(names) {
            let item = ModelItem(.constraint, names.joined(separator: ", "), of: new.name)
            report(\.remarks, item: item, reason: "a store that has the same values twice cannot be migrated")
        }
    }

    private mutating func checkLosses(
        _ old: NSEntityDescription, new: NSEntityDescription,
        pairs: [(old: NSPropertyDescription, new: NSPropertyDescription)]
    ) {
        let kept = Set(pairs.filter(\.new.isStored).map { ObjectIdentifier($0.old) })
        let taken = Set(pairs.map { ObjectIdentifier($0.new) })
        let lost = old.properties.filter {
            $0.isStored && !kept.contains(ObjectIdentifier($0)) && !($0 is NSDerivedAttributeDescription)
        }
        let fresh = new.ownProperties.filter { !taken.contains(ObjectIdentifier($0)) }
        for property in lost {
            let twins = fresh.filter { Self.resembles($0, property) }
            // A guess is reported only if it is the only one.
            let isSure = twins.count == 1 && lost.count { Self.resembles($0, property) } == 1
            let hint = "if '\(twins.first?.name ?? "")' is the same, give it the renaming identifier '\(property.name)'"
            report(\.losses, item: ModelItem(property), reason: "its values are dropped", hint: isSure ? hint : nil)
        }
    }

    // MARK: Properties

    private mutating func checkAdded(_ property: NSPropertyDescription) {
        switch property {
        case is NSDerivedAttributeDescription: break
        case let attribute as NSAttributeDescription where attribute.backfillRule != nil: break
        case let attribute as NSAttributeDescription where !attribute.isOptional && attribute.defaultValue == nil:
            report(
                \.obstacles, item: ModelItem(property),
                reason: "objects of before have no value for it, and it is required",
                hint: "make it optional or give it a default value", dependsOnValues: true)
        case let relationship as NSRelationshipDescription where !relationship.isOptional:
            report(
                \.obstacles, item: ModelItem(property),
                reason: "objects of before lead nowhere by it, and it is required",
                hint: "make it optional")
        default: break
        }
    }

    private mutating func check(_ old: NSPropertyDescription, _ new: NSPropertyDescription) {
        switch (old, new) {
        case (_, is NSDerivedAttributeDescription): break
        case (let old as NSAttributeDescription, let new as NSAttributeDescription): check(old, new)
        case (let old as NSRelationshipDescription, let new as NSRelationshipDescription): check(old, new)
        default: break
        }
    }

    private mutating func check(_ old: NSAttributeDescription, _ new: NSAttributeDescription) {
        checkTypes((ModelItem(old), old.attributeType), (ModelItem(new), new.attributeType))
        if let before = old as? NSCompositeAttributeDescription, let after = new as? NSCompositeAttributeDescription {
            checkElements(before, after)
        }
        guard old.isOptional, !new.isOptional, new.defaultValue == nil else { return }
        report(
            \.obstacles, item: ModelItem(new), reason: "it was optional and is required, and has no default value",
            hint: "give it a default value, which objects without a value receive", dependsOnValues: true)
    }

    /// Checks a change of type: numbers are converted if they fit the new type, which depends on the values in a store.
    ///
    /// - Parameter element: the element of a composite whose types are checked; nil for the attribute itself.
    fileprivate mutating func checkTypes(
        _ old: (item: ModelItem, type: NSAttributeType), _ new: (item: ModelItem, type: NSAttributeType),
        element: String? = nil
    ) {
        guard old.type != new.type else { return }
        let subject = element.map { "the type of its element '\($0)'" } ?? "its type"
        let change = "\(subject) was \(old.type.text) and is \(new.type.text)"
        guard let conversion = NumberConversion(from: old.type, to: new.type) else {
            return report(
                \.obstacles, item: new.item, reason: "\(change), and inference converts no such values",
                hint: "add an \(element == nil ? "attribute" : "element") of the new type under another name, "
                    + "or convert with a mapping model")
        }
        if conversion.mayRefuse {
            report(
                \.remarks, item: new.item,
                reason: "\(change): a store with a value that does not fit cannot be migrated")
        }
        if conversion.rounds {
            let values = element.map { "the values of its element '\($0)'" } ?? "its values"
            report(
                \.losses, item: old.item, reason: "\(values) are rounded to the digits that \(new.type.text) has",
                isRounding: true)
        }
    }

    private mutating func check(_ old: NSRelationshipDescription, _ new: NSRelationshipDescription) {
        if old.isToMany, !new.isToMany {
            report(
                \.obstacles, item: ModelItem(new),
                reason: "it was to-many and is to-one, and nothing says which object stays")
        }
        if old.isOptional, !new.isOptional {
            report(
                \.obstacles, item: ModelItem(new),
                reason: "it was optional and is required, and a relationship has no default",
                hint: "make it optional", dependsOnValues: !new.isToMany)
        }
        checkCounts(old, new)
        if !old.isToMany, new.isToMany, new.inverseRelationship == nil {
            report(
                \.remarks, item: ModelItem(new),
                reason: "without an inverse each object stays with one of those that lead to it",
                hint: "give it an inverse")
        }
        guard let target = new.destinationEntity, let before = old.destinationEntity else { return }
        guard let present = matching.new(of: before) else {
            let text = "it led to '\(before.name ?? "")', which is gone, and leads to '\(target.name ?? "")'"
            return report(\.obstacles, item: ModelItem(new), reason: text)
        }
        guard !present.isKindOf(entity: target), !target.isKindOf(entity: present) else { return }
        report(
            \.obstacles, item: ModelItem(new),
            reason:
                "it led to '\(present.name ?? "")' and leads to '\(target.name ?? "")', which is neither a parent nor a child of it"
        )
    }

    private mutating func checkCounts(_ old: NSRelationshipDescription, _ new: NSRelationshipDescription) {
        guard old.isToMany, new.isToMany else { return }
        let isTighter = new.maxCount != 0 && (old.maxCount == 0 || new.maxCount < old.maxCount)
        guard isTighter || new.minCount > old.minCount else { return }
        report(
            \.remarks, item: ModelItem(new),
            reason: "objects of before may lead to fewer or more objects than is allowed")
    }

    // MARK: Findings

    private static func resembles(_ one: NSEntityDescription, _ other: NSEntityDescription) -> Bool {
        let names = Set(one.ownProperties.map(\.name))
        return !names.isEmpty && names == Set(other.ownProperties.map(\.name))
    }

    private static func resembles(_ one: NSPropertyDescription, _ other: NSPropertyDescription) -> Bool {
        switch (one, other) {
        case (let one as NSAttributeDescription, let other as NSAttributeDescription):
            one.attributeType == other.attributeType && one.isStored && CompositeMatching.haveSameShape(one, other)
        case (let one as NSRelationshipDescription, let other as NSRelationshipDescription):
            one.destinationEntity?.name == other.destinationEntity?.name && one.isStored
        default: false
        }
    }

    private mutating func report(
        _ list: WritableKeyPath<MappingInference, [Finding]>, item: ModelItem, reason: String, hint: String? = nil,
        dependsOnValues: Bool = false, isRounding: Bool = false
    ) {
        guard reported.insert(Finding(item: item, reason: reason, hint: nil)).inserted else { return }
        self[keyPath: list].append(
            Finding(
                item: item, reason: reason, hint: hint, dependsOnValues: dependsOnValues, isRounding: isRounding))
    }
}

extension MappingInference {
    /// Checks the elements of a composite attribute by the rules for attributes.
    fileprivate mutating func checkElements(
        _ old: NSCompositeAttributeDescription, _ new: NSCompositeAttributeDescription
    ) {
        let origins = CompositeMatching.origins(of: new, in: old)
        for leaf in CompositeMatching.leaves(of: new) {
            let isFilled = leaf.attribute.isOptional || leaf.attribute.defaultValue != nil
            guard let origin = origins[leaf.path]?.attribute else {
                guard !isFilled else { continue }
                report(
                    \.obstacles, item: ModelItem(new), reason: "its element '\(leaf.name)' is new and required",
                    hint: "make the element optional or give it a default value")
                continue
            }
            checkTypes(
                (ModelItem(old), origin.attributeType), (ModelItem(new), leaf.attribute.attributeType),
                element: leaf.name)
            if origin.isOptional, !isFilled {
                report(
                    \.obstacles, item: ModelItem(new),
                    reason: "its element '\(leaf.name)' was optional and is required, and has no default value",
                    hint: "give the element a default value")
            }
        }
        let kept = Set(origins.values.map(\.path))
        let lost = CompositeMatching.leaves(of: old).filter { !kept.contains($0.path) }
        let fresh = CompositeMatching.leaves(of: new).filter { origins[$0.path] == nil }
        for leaf in lost {
            let type = leaf.attribute.attributeType
            let twins = fresh.filter { $0.attribute.attributeType == type }
            let isSure = twins.count == 1 && lost.count { $0.attribute.attributeType == type } == 1
            let hint =
                "if '\(twins.first?.name ?? "")' is the same, give it the renaming identifier '\(leaf.attribute.name)'"
            report(
                \.losses, item: ModelItem(.attribute, "\(old.name).\(leaf.name)", of: old.entity?.name),
                reason: "its values are dropped", hint: isSure ? hint : nil)
        }
    }
}
