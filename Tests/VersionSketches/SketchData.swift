import CoreData
import StoreContract
import TestBasics

/// The objects of a store as plain values, in terms of a sketch: what the reference migrates and what is compared.
package struct SketchData: Equatable {
    package struct Row: Hashable, Comparable {
        package let entity: Int
        package let key: Int64

        package static func < (one: Row, other: Row) -> Bool { (one.entity, one.key) < (other.entity, other.key) }
    }

    package struct EndKey: Hashable {
        package let row: Row
        package let end: Int
    }

    /// By row and attribute.
    package var values: [Row: [Int: String]] = [:]
    /// By row and end, the rows it leads to; in order where the end is ordered, else sorted.
    package var links: [EndKey: [Row]] = [:]

    // MARK: Reading and filling

    package static func fill(_ context: NSManagedObjectContext, _ sketch: VersionSketch, _ edits: inout SketchEdits) {
        var objects: [(entity: Int, object: NSManagedObject)] = []
        for entity in sketch.concrete {
            for _ in 0..<(3 + edits.random.next(below: 6)) {
                let object = context.insert(entity.name)
                for attribute in sketch.attributes(entity.id) where attribute.isOptional ? edits.chance(70) : true {
                    let number = edits.random.next(below: 100)
                    object.setValue(SampleValue.value(number, attribute.type), forKey: attribute.name)
                }
                objects.append((entity.id, object))
            }
        }
        for relationship in sketch.relationships {
            let owners = objects.filter { sketch.isKind($0.entity, of: relationship.first.owner) }.map(\.object)
            let members = objects.filter { sketch.isKind($0.entity, of: relationship.destination) }.map(\.object)
            for owner in owners where edits.chance(70) {
                if relationship.first.isToMany {
                    let set = owner.mutableOrderedOrPlainSet(relationship.first)
                    for _ in 0..<edits.random.next(below: 4) {
                        if let member = edits.pick(members) { set(member) }
                    }
                } else {
                    owner.setValue(edits.pick(members), forKey: relationship.first.name)
                }
            }
        }
    }

    package static func read(_ context: NSManagedObjectContext, _ sketch: VersionSketch) throws -> SketchData {
        var data = SketchData()
        let numbers = Dictionary(sketch.entities.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
        func row(_ object: NSManagedObject) -> Row {
            Row(entity: numbers[object.entity.name ?? ""] ?? 0, key: object.rowKey)
        }
        for entity in sketch.concrete {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for object in try context.fetch(request) {
                let own = row(object)
                data.values[own] = [:]
                for attribute in sketch.attributes(entity.id) {
                    data.values[own]?[attribute.id] = SampleValue.text(object.value(forKey: attribute.name))
                }
                for derived in sketch.derived(entity.id) {
                    data.values[own]?[derived.id] = SampleValue.text(object.value(forKey: derived.name))
                }
                for relationship in sketch.relationships {
                    for (end, owner) in [(relationship.first, relationship.first.owner)]
                        + (relationship.second.map { [($0, $0.owner)] } ?? [])
                    where sketch.isKind(entity.id, of: owner) {
                        data.links[EndKey(row: own, end: end.id)] = rows(object, end).map(row)
                    }
                }
            }
        }
        return data
    }

    private static func rows(_ object: NSManagedObject, _ end: VersionSketch.End) -> [NSManagedObject] {
        guard end.isToMany else { return [object.value(forKey: end.name) as? NSManagedObject].compactMap(\.self) }
        if end.isOrdered { return (object.value(forKey: end.name) as? NSOrderedSet)?.array as? [NSManagedObject] ?? [] }
        let set = object.value(forKey: end.name) as? Set<NSManagedObject> ?? []
        return set.sorted { ($0.entity.name ?? "", $0.rowKey) < ($1.entity.name ?? "", $1.rowKey) }
    }

    // MARK: The reference

    /// What a migration to another version is to leave, done naively on plain values.
    package func migrated(from old: VersionSketch, to new: VersionSketch) -> SketchData {
        var result = SketchData()
        for (row, before) in values {
            guard let entity = new.entity(row.entity), !entity.isAbstract else { continue }
            var after: [Int: String] = [:]
            for attribute in new.attributes(entity.id) {
                let fallback = attribute.defaultValue.map { SampleValue.text(SampleValue.value($0, attribute.type)) }
                let known = before[attribute.id]
                let isFilled = known == "nil" && !attribute.isOptional
                after[attribute.id] = isFilled ? fallback ?? "nil" : known ?? fallback ?? "nil"
            }
            result.values[row] = after
        }
        for relationship in new.relationships { addLinks(relationship, old, new, &result) }
        result.derive(new)
        return result
    }

    /// Sets what is derived from the other values and the links.
    private mutating func derive(_ sketch: VersionSketch) {
        for row in values.keys {
            for derived in sketch.derived(row.entity) {
                switch derived.source {
                case .capitals(let attribute):
                    let text = values[row]?[attribute] ?? "nil"
                    values[row]?[derived.id] = text == "nil" ? text : text.uppercased()
                case .count(let end):
                    values[row]?[derived.id] = "\(links[EndKey(row: row, end: end)]?.count ?? 0)"
                }
            }
        }
    }

    /// Whether values are there twice that a version wants to be unique.
    package func hasCollision(in sketch: VersionSketch) -> Bool {
        sketch.entities.contains { entity in
            guard let unique = entity.unique, entity.attributes.contains(where: { $0.id == unique }) else {
                return false
            }
            let texts = values.filter { sketch.isKind($0.key.entity, of: entity.id) }.compactMap { $0.value[unique] }
                .filter { $0 != "nil" }
            return Set(texts).count < texts.count
        }
    }

    private func addLinks(
        _ relationship: VersionSketch.Relationship, _ old: VersionSketch, _ new: VersionSketch,
        _ result: inout SketchData
    ) {
        let kept = Set(result.values.keys)
        let former = old.relationships.first { $0.id == relationship.id }
        func known(_ end: VersionSketch.End, _ row: Row) -> [Row]? {
            guard former?.first.id == end.id || former?.second?.id == end.id else { return nil }
            return links[EndKey(row: row, end: end.id)]?.filter(kept.contains)
        }
        let owners = kept.filter { new.isKind($0.entity, of: relationship.first.owner) }.sorted()
        var pairs: [(Row, Row)] = []
        for owner in owners {
            for member in known(relationship.first, owner) ?? [] { pairs.append((owner, member)) }
        }
        let hasNewToOneInverse =
            relationship.second.map { former?.second == nil && former != nil && !$0.isToMany } ?? false
        let wasToOne = former.map { !$0.first.isToMany } ?? false
        if hasNewToOneInverse || relationship.second == nil && relationship.first.isToMany && wasToOne {
            // A new to-one inverse leads to one of those who led here: the first. So does the hidden key by which stores
            // keep a to-many relationship without inverse.
            var taken: [Row: Row] = [:]
            for (owner, member) in pairs.sorted(by: { ($0.0.key, $0.1.key) < ($1.0.key, $1.1.key) }) {
                if taken[member] == nil { taken[member] = owner }
            }
            pairs = pairs.filter { taken[$0.1] == $0.0 }
        }
        for owner in owners {
            let members = pairs.filter { $0.0 == owner }.map(\.1)
            result.links[EndKey(row: owner, end: relationship.first.id)] = members
        }
        guard let second = relationship.second else { return }
        for member in kept where new.isKind(member.entity, of: relationship.destination) {
            let order = known(second, member)
            let found = pairs.filter { $0.1 == member }.map(\.0)
            let sorted = order.map { order in order.filter(found.contains) } ?? found
            result.links[EndKey(row: member, end: second.id)] = sorted
        }
    }

    /// The data with the members of each end sorted, unless the end was ordered before and is so now.
    package func comparable(_ old: VersionSketch, _ new: VersionSketch) -> SketchData {
        func ends(_ sketch: VersionSketch) -> [VersionSketch.End] {
            sketch.relationships.flatMap { [$0.first, $0.second].compactMap(\.self) }
        }
        let wasOrdered = Set(ends(old).filter { $0.isToMany && $0.isOrdered }.map(\.id))
        let isOrdered = Set(ends(new).filter { $0.isToMany && $0.isOrdered }.map(\.id))
        var copy = self
        for (key, rows) in links where !(wasOrdered.contains(key.end) && isOrdered.contains(key.end)) {
            copy.links[key] = rows.sorted()
        }
        return copy
    }

    /// The data with the members of each end sorted.
    package var unordered: SketchData {
        var copy = self
        copy.links = links.mapValues { $0.sorted() }
        return copy
    }

    /// The data as they come back from another version: values that it required have been filled in, and of several that led
    /// to one, where it wants one, the others are gone.
    package func filling(of own: VersionSketch, through other: VersionSketch) -> SketchData {
        let there = migrated(from: own, to: other)
        var copy = self
        for (row, values) in there.values {
            for (attribute, text) in values where copy.values[row]?[attribute] == "nil" {
                copy.values[row]?[attribute] = text
            }
        }
        // And back: what the own version requires.
        for (row, values) in copy.values {
            for attribute in own.attributes(row.entity) where values[attribute.id] == "nil" && !attribute.isOptional {
                let fallback = attribute.defaultValue.map { SampleValue.text(SampleValue.value($0, attribute.type)) }
                copy.values[row]?[attribute.id] = fallback ?? "nil"
            }
        }
        for (key, rows) in there.links where copy.links[key] != nil && there.values[key.row] != nil {
            // Links to rows that the other version does not have come back with them.
            let gone = copy.links[key]?.filter { there.values[$0] == nil } ?? []
            copy.links[key] = rows + gone
        }
        copy.derive(own)
        return copy
    }

    /// The first differences, as lines.
    package func differences(from other: SketchData) -> [String] {
        var lines: [String] = []
        for row in Set(values.keys).union(other.values.keys).sorted() where values[row] != other.values[row] {
            lines.append("row \(row): is \(values[row] ?? [:]), should be \(other.values[row] ?? [:])")
        }
        for key in Set(links.keys).union(other.links.keys) where links[key] ?? [] != other.links[key] ?? [] {
            lines.append("end \(key.end) of \(key.row): is \(links[key] ?? []), should be \(other.links[key] ?? [])")
        }
        return Array(lines.prefix(6))
    }
}

extension NSManagedObject {
    /// Adds members to a to-many relationship.
    fileprivate func mutableOrderedOrPlainSet(_ end: VersionSketch.End) -> (NSManagedObject) -> Void {
        { [self] member in
            if end.isOrdered {
                mutableOrderedSetValue(forKey: end.name).add(member)
            } else {
                mutableSetValue(forKey: end.name).add(member)
            }
        }
    }
}

extension NSManagedObject {
    /// The key of the object's row.
    package var rowKey: Int64 { Int64(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? -1 }
}
