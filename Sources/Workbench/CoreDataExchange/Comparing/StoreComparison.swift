import CoreData

/// Compares two stores of any store types object by object.
///
/// The identifying values of all objects go into a temporary database, which pairs the objects of both stores; then the
/// pairs are read in portions, so that memory use does not grow with the stores. Relationships are compared by the
/// identifying values of their destination objects. Each store is read in one snapshot.
package struct StoreComparison {
    private static let portion = 250

    private let left: OpenStore
    private let right: OpenStore
    private let rule: ComparisonRule
    /// The names of the entities whose objects are compared; nil for all.
    private let entities: Set<String>?

    /// - Parameter entities: the names of the entities to compare, with their subentities; empty for all entities.
    /// - Throws: `InspectionError` for an entity that a model does not have, or that the rule cannot match.
    package init(_ left: OpenStore, _ right: OpenStore, by rule: ComparisonRule, entities names: [String] = []) throws {
        self.left = left
        self.right = right
        self.rule = rule
        let given = try names.map { name in
            _ = try right.entity(named: name)
            return try left.entity(named: name)
        }
        entities =
            given.isEmpty
            ? nil
            : Set(left.entities.filter { entity in given.contains { entity.isKindOf(entity: $0) } }.compactMap(\.name))
    }

    /// Compares the stores; passes each difference to `report`. Calls `progress` from time to time with the number of
    /// objects read so far; objects are read twice.
    ///
    /// - Throws: `InspectionError` if a store cannot be read, and errors of `report`.
    package func run(
        report: (StoreDifference) throws -> Void, progress: (Int) -> Void = { _ in }
    ) throws -> ComparisonSummary {
        var compared: [String: ComparedEntity] = [:]
        return try run(
            ComparisonIndex(), chosen: { _ in false }, report: report, progress: progress, compared: &compared)
    }

    /// Compares the stores, and records the objects of the chosen differences in the index: objects of A that B lacks
    /// or has with other values, and objects that only B has.
    func run(
        _ index: ComparisonIndex, chosen: (StoreDifference) throws -> Bool,
        report: (StoreDifference) throws -> Void, progress: (Int) -> Void = { _ in },
        compared: inout [String: ComparedEntity]
    ) throws -> ComparisonSummary {
        try left.readingOneState { leftObjects in
            try right.readingOneState { rightObjects in
                try compare(
                    ComparedStore(left, objects: leftObjects, side: .left, index: index, beside: right),
                    other: ComparedStore(right, objects: rightObjects, side: .right, index: index, beside: left),
                    index: index, chosen: chosen, report: report, progress: progress,
                    found: &compared)
            }
        }
    }

    private func compare(
        _ one: ComparedStore, other: ComparedStore, index: ComparisonIndex,
        chosen: (StoreDifference) throws -> Bool, report: (StoreDifference) throws -> Void,
        progress: (Int) -> Void, found: inout [String: ComparedEntity]
    ) throws -> ComparisonSummary {
        var summary = ComparisonSummary()
        var count = 0
        let compared = try fill(one, other: other, summary: &summary) { read in
            count += read
            progress(count)
        }
        found = compared
        try index.finish()
        try index.forEachPortion(Self.portion) { pairs in
            try ReadCancellation.check()
            func relationships(_ store: ComparedStore, _ number: Int) -> [NSRelationshipDescription] {
                let entity = compared[store.model.entities[number].entity.name ?? ""]
                return entity?.relationships.compactMap {
                    (store === one ? $0.left : $0.right) as? NSRelationshipDescription
                } ?? []
            }
            let whole = pairs.filter { $0.left != nil && $0.right != nil }
            try one.read(whole.compactMap(\.left)) { relationships(one, $0) }
            try other.read(whole.compactMap(\.right)) { relationships(other, $0) }
            for pair in pairs {
                guard isWanted(pair, one: one, other: other) else { continue }
                let difference = try difference(pair, one: one, other: other, compared: compared)
                let place = pair.left.map(one.address) ?? pair.right.map(other.address) ?? ""
                summary.add(difference?.kind, of: String(place.prefix { $0 != "/" }))
                guard let difference else { continue }
                try report(difference)
                guard try chosen(difference) else { continue }
                if let place = pair.left { try index.addTodo(.left, place) }
                if pair.left == nil, let place = pair.right { try index.addTodo(.right, place) }
            }
            count += pairs.count
            progress(count)
        }
        return summary
    }

    /// Whether the objects of a pair are of entities that are to be compared.
    private func isWanted(_ pair: ComparisonIndex.Pair, one: ComparedStore, other: ComparedStore) -> Bool {
        guard let entities else { return true }
        let names = [
            pair.left.map { one.model.entities[$0.entity] }, pair.right.map { other.model.entities[$0.entity] },
        ]
        return names.contains { $0.map { entities.contains($0.entity.name ?? "") } ?? false }
    }

    /// Adds the objects of all entities that both models have to the index; returns the comparable properties by
    /// entity.
    private func fill(
        _ one: ComparedStore, other: ComparedStore, summary: inout ComparisonSummary, progress: (Int) -> Void
    ) throws -> [String: ComparedEntity] {
        let byName = right.coordinator.managedObjectModel.entitiesByName
        var compared: [String: ComparedEntity] = [:]
        var scopes: [String: Int] = [:]
        for entity in left.entities {
            guard let name = entity.name, let counterpart = byName[name] else {
                summary.notCompared.append("\(entity.name ?? "") (only A has it)")
                continue
            }
            let pair = ComparedEntity(entity, counterpart)
            compared[name] = pair
            summary.notCompared += pair.leftOut.map { "\(name).\($0)" }
            guard !entity.isAbstract else { continue }
            let attributes = try rule.attributes(of: entity)
            let others = attributes.compactMap { counterpart.attributesByName[$0.name] }
            guard attributes.count == others.count else {
                throw InspectionError(
                    .unknownKey, subject: name, cause: "the entity of B lacks an attribute that identifies the objects",
                    hint: "compare by other keys, or by id")
            }
            let (root, otherRoot) = (Self.root(of: entity), Self.root(of: counterpart))
            let text = root == otherRoot ? "root \(root)" : "entity \(name)"
            let scope = scopes[text] ?? scopes.count
            scopes[text] = scope
            try one.addObjects(of: entity, scope: scope, by: attributes, progress)
            try other.addObjects(of: counterpart, scope: scope, by: others, progress)
        }
        let known = left.coordinator.managedObjectModel.entitiesByName
        summary.notCompared += byName.keys.filter { known[$0] == nil }.sorted().map { "\($0) (only B has it)" }
        return compared
    }

    private static func root(of entity: NSEntityDescription) -> String {
        var root = entity
        while let above = root.superentity { root = above }
        return root.name ?? ""
    }

    private func difference(
        _ pair: ComparisonIndex.Pair, one: ComparedStore, other: ComparedStore, compared: [String: ComparedEntity]
    ) throws -> StoreDifference? {
        guard let leftPlace = pair.left else {
            return StoreDifference(kind: .onlyInB, left: nil, right: pair.right.map(other.address), properties: [])
        }
        guard let rightPlace = pair.right else {
            return StoreDifference(kind: .onlyInA, left: one.address(leftPlace), right: nil, properties: [])
        }
        guard let leftRow = one.row(at: leftPlace), let rightRow = other.row(at: rightPlace) else { return nil }
        let names = [
            one.model.entities[leftPlace.entity].entity.name, other.model.entities[rightPlace.entity].entity.name,
        ]
        var properties: [StoreDifference.Property] = []
        if names[0] != names[1] {
            properties.append(.init(name: "entity", left: .text(names[0]), right: .text(names[1])))
        }
        if let entity = compared[names[0] ?? ""], names[0] == names[1] {
            properties += attributes(entity, left: leftRow, right: rightRow, one: one, other: other)
            properties += try relationships(
                entity, left: (leftPlace, leftRow), right: (rightPlace, rightRow), one: one, other: other)
        }
        guard !properties.isEmpty else { return nil }
        return StoreDifference(
            kind: .changed, left: one.address(leftPlace), right: other.address(rightPlace), properties: properties)
    }

    private func attributes(
        _ entity: ComparedEntity, left: ComparedStore.Row, right: ComparedStore.Row, one: ComparedStore,
        other: ComparedStore
    ) -> [StoreDifference.Property] {
        entity.attributes.compactMap { property in
            guard !ComparedStore.haveSameBits(property.name, one: left, other: right),
                let own = property.left as? NSAttributeDescription,
                let counterpart = property.right as? NSAttributeDescription
            else { return nil }
            let values = (one.attribute(own, of: left), other.attribute(counterpart, of: right))
            guard !JSONWriter.line(values.0).utf8.elementsEqual(JSONWriter.line(values.1).utf8) else { return nil }
            return .init(name: property.name, left: values.0, right: values.1)
        }
    }

    private func relationships(
        _ entity: ComparedEntity, left: (ComparisonIndex.Place, ComparedStore.Row),
        right: (ComparisonIndex.Place, ComparedStore.Row), one: ComparedStore, other: ComparedStore
    ) throws -> [StoreDifference.Property] {
        try entity.relationships.compactMap { property in
            guard let own = property.left as? NSRelationshipDescription,
                let counterpart = property.right as? NSRelationshipDescription
            else { return nil }
            let ends = try one.targets(of: own, at: left.0, left.1)
            let others = try other.targets(of: counterpart, at: right.0, right.1)
            guard ends.names != others.names else { return nil }
            func json(_ addresses: [String]) -> JSONValue {
                own.isToMany ? .array(addresses.map { .string($0) }) : .text(addresses.first)
            }
            return .init(name: property.name, left: json(ends.addresses), right: json(others.addresses))
        }
    }
}
