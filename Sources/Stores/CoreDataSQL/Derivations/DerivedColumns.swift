import CoreDataStore

/// The derived attributes of an open store that saves must compute, since no triggers maintain them, and which of them
/// each changed row affects.
///
/// Created once per file; nil for a store without such attributes, so that saving to it costs nothing.
package struct DerivedColumns {
    /// A dependency, by the number of its derivation and its index there, with the slots whose changes affect the
    /// values.
    package struct Watch {
        package let derivation: Int
        package let dependency: Int
        package let slots: SlotSet
        /// Whether insertions affect the values: true for members of a collection only. The rows that refer to an
        /// inserted row are themselves inserted or updated, so no search is needed.
        package let includesInsertions: Bool
    }

    /// How a changed link affects a derivation: which end of the link has the derived attribute.
    package struct Link {
        package let derivation: Int
        package let isReversed: Bool
    }

    package let derivations: [SavedDerivation]
    /// By layout number: the derivations to compute for inserted rows.
    package private(set) var forInserted: [[Int]]
    /// By layout number: the derivations to compute for updated rows.
    package private(set) var forUpdated: [[Int]]
    /// By layout number: the dependencies to check when rows change.
    package private(set) var watches: [[Watch]]
    package private(set) var links: [ObjectIdentifier: [Link]] = [:]

    /// - Parameter present: the SQL of the triggers that the database has.
    package init?(
        schema: StoreSchema, model: ModelLayout, triggers present: Set<String> = [], dialect: SQLDialect = .sqlite
    ) {
        let compiler = DerivationCompiler(schema: schema, model: model, dialect: dialect)
        var derivations: [SavedDerivation] = []
        // For each derivation, whether triggers maintain it for all but inserted rows.
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

    /// Whether triggers leave a wrong value in an inserted row: the trigger for times runs on updates only, and the
    /// triggers for counts count a row twice that is inserted as its own member.
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

    /// Whether the file has all triggers that maintain an attribute.
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
