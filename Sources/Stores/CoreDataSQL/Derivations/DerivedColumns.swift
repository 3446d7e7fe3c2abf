import CoreDataStore

/// The derived attributes of an open store that its triggers do not keep, and what each changed row means for them.
///
/// Made once a file; nil for a store without such attributes, so that saving to it costs nothing.
package struct DerivedColumns {
    /// A dependency by the numbers of its derivation and of its place there, with the slots whose change matters.
    package struct Watch {
        package let derivation: Int
        package let dependency: Int
        package let slots: SlotSet
        /// Whether insertions matter; who refers to an inserted row is changed too and needs no looking for.
        package let includesInsertions: Bool
    }

    /// What a link means for a derivation: which of its ends has the derived attribute.
    package struct Link {
        package let derivation: Int
        package let isReversed: Bool
    }

    package let derivations: [SavedDerivation]
    /// By the numbers of the layouts: derivations to compute for inserted rows.
    package private(set) var forInserted: [[Int]]
    /// Those to compute for updated rows.
    package private(set) var forUpdated: [[Int]]
    /// What is to be looked at when rows change.
    package private(set) var watches: [[Watch]]
    package private(set) var links: [ObjectIdentifier: [Link]] = [:]

    /// - Parameter present: the statements of the triggers that the database has.
    package init?(
        schema: StoreSchema, model: ModelLayout, triggers present: Set<String> = [], dialect: SQLDialect = .sqlite
    ) {
        let compiler = DerivationCompiler(schema: schema, model: model, dialect: dialect)
        var derivations: [SavedDerivation] = []
        // Those that triggers keep but for inserted rows.
        var isHalfKept: [Bool] = []
        for attribute in Self.attributes(of: model) {
            guard let derivation = compiler.derivation(of: attribute, number: derivations.count) else { continue }
            let isKept = derivation.keepsType && Self.isKept(attribute, by: schema.triggers, present)
            guard !isKept || Self.isWrongWhenInserted(derivation) else { continue }
            derivations.append(derivation)
            isHalfKept.append(isKept)
        }
        guard !derivations.isEmpty else { return nil }
        self.derivations = derivations
        let numbers = { (layout: EntityLayout) in
            derivations.indices.filter { layout.entity.isKindOf(entity: derivations[$0].entity) }
        }
        forInserted = model.entities.map(numbers)
        forUpdated = model.entities.map { numbers($0).filter { !isHalfKept[$0] } }
        watches = model.entities.map { layout in
            Self.watches(of: layout, derivations).filter { !isHalfKept[$0.derivation] }
        }
        for number in derivations.indices where !isHalfKept[number] { addLinks(number) }
    }

    /// Whether triggers leave an inserted row with a wrong value: the known one for times follows updates only, and those
    /// for counts count a row twice that is inserted as a member of its own.
    private static func isWrongWhenInserted(_ derivation: SavedDerivation) -> Bool {
        derivation.isTime || derivation.isWithinOneTable
    }

    private static func attributes(of model: ModelLayout) -> [NSDerivedAttributeDescription] {
        model.entities.flatMap { layout in
            layout.slots.prefix(layout.storedCount).compactMap { slot in
                guard case .attribute(let attribute, _) = slot.content, attribute.entity === layout.entity else {
                    return nil
                }
                return attribute as? NSDerivedAttributeDescription
            }
        }
    }

    /// Whether the file has every trigger that keeps an attribute.
    private static func isKept(
        _ attribute: NSDerivedAttributeDescription, by triggers: [TriggerDefinition], _ present: Set<String>
    ) -> Bool {
        let own = triggers.filter { $0.entity == attribute.entity?.name && $0.attribute == attribute.name }
        return !own.isEmpty && own.allSatisfy { present.contains($0.sql) }
    }

    private static func watches(of layout: EntityLayout, _ derivations: [SavedDerivation]) -> [Watch] {
        derivations.enumerated().flatMap { number, derivation in
            derivation.dependencies.enumerated().compactMap { place, dependency in
                guard layout.entity.isKindOf(entity: dependency.source) else { return nil }
                return Watch(
                    derivation: number, dependency: place, slots: slots(of: dependency.properties, in: layout),
                    includesInsertions: derivation.collection != nil)
            }
        }
    }

    private static func slots(of names: [String], in layout: EntityLayout) -> SlotSet {
        names.reduce(into: SlotSet()) { set, name in
            switch layout.places[name] {
            case .attribute(let slot), .toOne(let slot): set.insert(slot)
            default: break
            }
        }
    }

    private mutating func addLinks(_ number: Int) {
        guard let collection = derivations[number].collection else { return }
        links[ObjectIdentifier(collection), default: []].append(Link(derivation: number, isReversed: false))
        guard let inverse = collection.inverseRelationship else { return }
        links[ObjectIdentifier(inverse), default: []].append(Link(derivation: number, isReversed: true))
    }
}
