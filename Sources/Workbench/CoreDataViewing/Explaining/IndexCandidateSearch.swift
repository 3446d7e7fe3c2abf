import CoreData

/// Finds the indexes that could speed a fetch up, from its conditions and its order. A trial shows which of them do.
///
/// Conditions on attributes of the fetched entity give indexes over several columns: first the attributes that are
/// compared for equality, then one that is compared with a range, or the sort keys. An attribute at the end of a
/// relationship path gives an index of its own.
package struct IndexCandidateSearch {
    private let entity: NSEntityDescription
    private var equal: [String] = []
    private var ranged: [String] = []
    /// The attributes at the ends of relationship paths, with their entities.
    private var distant: [(entity: NSEntityDescription, property: String)] = []

    /// The greatest number of candidates: more would make the trial long, and further conditions rarely are what is
    /// slow.
    private static let greatestCount = 24

    private init(_ entity: NSEntityDescription) { self.entity = entity }

    /// The candidates for a query, without duplicates.
    package static func all(for query: ObjectQuery) -> [IndexCandidate] {
        var finder = IndexCandidateSearch(query.entity)
        if let predicate = query.predicate { finder.collect(predicate) }
        var lists = finder.lists(order: finder.order(query.sortDescriptors)).map { (query.entity, $0) }
        lists += finder.distant.map { ($0.entity, [.init(property: $0.property, isAscending: true)]) }
        var candidates: [IndexCandidate] = []
        for (entity, elements) in lists {
            let candidate = IndexCandidate(
                entity: entity.name ?? "", name: name(of: elements, in: entity), elements: elements)
            if !candidates.contains(candidate) { candidates.append(candidate) }
        }
        return Array(candidates.prefix(greatestCount))
    }

    private func lists(order: [IndexCandidate.Element]) -> [[IndexCandidate.Element]] {
        let keys = equal.map { IndexCandidate.Element(property: $0, isAscending: true) }
        let ranges = ranged.map { IndexCandidate.Element(property: $0, isAscending: true) }
        let rest = order.filter { element in !equal.contains(element.property) }
        var lists = [keys, keys + rest, rest] + ranges.map { keys + [$0] }
        lists += (keys + ranges).map { [$0] }
        return lists.filter { !$0.isEmpty }
    }

    /// The sort keys, if all of them are attributes of the entity itself; else none.
    private func order(_ descriptors: [NSSortDescriptor]) -> [IndexCandidate.Element] {
        let elements = descriptors.compactMap { descriptor -> IndexCandidate.Element? in
            guard let key = descriptor.key, Self.isIndexable(key, of: entity) else { return nil }
            return .init(property: key, isAscending: descriptor.ascending)
        }
        return elements.count == descriptors.count ? elements : []
    }

    /// A name such as `byNameAndAge`, followed by a number if the entity has an index of that name.
    private static func name(of elements: [IndexCandidate.Element], in entity: NSEntityDescription) -> String {
        let words = elements.map { element in
            element.property.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
        let wanted = "by" + words.joined(separator: "And")
        let taken = Set(entity.indexes.map { $0.name.lowercased() })
        var name = wanted
        var number = 2
        while taken.contains(name.lowercased()) {
            name = wanted + String(number)
            number += 1
        }
        return name
    }

    /// Whether a property, or an element of a composite attribute, is stored in a single column.
    private static func isIndexable(_ path: String, of entity: NSEntityDescription) -> Bool {
        guard let path = PropertyPath(path, in: entity), !path.property.isTransient else { return false }
        return switch path.end {
        case let attribute as NSAttributeDescription:
            ![.transformable, .composite, .undefined].contains(AttributeKind(attribute))
        case let relationship as NSRelationshipDescription: !relationship.isToMany
        default: false
        }
    }
}

extension IndexCandidateSearch {
    private mutating func collect(_ predicate: NSPredicate) {
        switch predicate {
        case let compound as Foundation.NSCompoundPredicate: for part in compound.subpredicates { collect(part) }
        case let comparison as NSComparisonPredicate:
            collect(comparison.leftExpression, as: comparison.predicateOperatorType)
            collect(comparison.rightExpression, as: comparison.predicateOperatorType)
        default: break
        }
    }

    private mutating func collect(_ expression: NSExpression, as operation: NSComparisonPredicate.Operator) {
        switch expression.form {
        case .keyPath(let operand?, let path) where path.hasPrefix("@"): collect(operand, as: operation)
        case .keyPath(_, let path): collect(path.split(separator: ".").map(String.init), as: operation)
        case .subquery(let collection, _, let predicate):
            guard case .keyPath(_, let path) = collection.form,
                let member = destination(path.split(separator: ".").map(String.init))
            else { return }
            var inner = IndexCandidateSearch(member)
            inner.collect(predicate)
            distant += (inner.equal + inner.ranged).map { (member, $0) } + inner.distant
        case .function(_, let parts), .aggregate(let parts): for part in parts { collect(part, as: operation) }
        default: break
        }
    }

    private mutating func collect(_ keys: [String], as operation: NSComparisonPredicate.Operator) {
        var steps = keys.filter { $0.lowercased() != "self" }[...]
        var owner = entity
        var isDistant = false
        while steps.count > 1, let next = Self.destination(of: steps[steps.startIndex], from: owner) {
            owner = next
            isDistant = true
            steps.removeFirst()
        }
        let path = steps.joined(separator: ".")
        guard Self.isIndexable(path, of: owner) else { return }
        guard !isDistant else { return distant.append((owner, path)) }
        switch operation {
        case .equalTo, .in: if !equal.contains(path) { equal.append(path) }
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .beginsWith:
            if !ranged.contains(path) { ranged.append(path) }
        default: break
        }
    }

    /// The entity at the end of a path of relationships.
    private func destination(_ keys: [String]) -> NSEntityDescription? {
        keys.reduce(Optional(entity)) { owner, key in
            owner.flatMap { Self.destination(of: key, from: $0) }
        }
    }

    private static func destination(of key: String, from entity: NSEntityDescription) -> NSEntityDescription? {
        (entity.propertiesByName[key] as? NSRelationshipDescription)?.destinationEntity
    }
}
