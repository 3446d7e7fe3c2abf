import CoreData
import TestBasics

/// Makes versions and changes them at random.
package struct SketchEdits {
    package var random: SeededRandom
    package private(set) var log: [String] = []

    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    package mutating func chance(_ percent: Int) -> Bool { random.next(below: 100) < percent }

    package mutating func pick<Element>(_ list: [Element]) -> Element? {
        list.isEmpty ? nil : list[random.next(below: list.count)]
    }

    // MARK: A first version

    package mutating func firstVersion() -> VersionSketch {
        var sketch = VersionSketch()
        for _ in 0..<(2 + random.next(below: 4)) { addEntity(&sketch) }
        for _ in 0..<random.next(below: 5) { addRelationship(&sketch) }
        for _ in 0..<random.next(below: 4) { addDerived(&sketch) }
        for _ in 0..<random.next(below: 3) { addIndex(&sketch) }
        log = []
        return sketch
    }

    /// Names are never used twice, so that only identifiers tie what is renamed to what it was.
    private mutating func name(_ stem: String, _ id: Int) -> String {
        // Not in the order of the numbers, so that entities' numbers move when one comes or goes.
        "\(stem)\(Character(UnicodeScalar(UInt8(97 + random.next(below: 26)))))\(id)"
    }

    private mutating func newAttribute(_ sketch: inout VersionSketch) -> VersionSketch.Attribute {
        let id = sketch.newID()
        let type = pick(SampleValue.types) ?? .stringAttributeType
        var attribute = VersionSketch.Attribute(id: id, name: name("a", id), type: type)
        if chance(40), type != .compositeAttributeType { attribute.defaultValue = random.next(below: 50) }
        if attribute.defaultValue != nil { attribute.isOptional = chance(60) }
        attribute.isExternal = type == .binaryDataAttributeType && chance(50)
        return attribute
    }

    private mutating func addEntity(_ sketch: inout VersionSketch) {
        let id = sketch.newID()
        let above = chance(40) ? pick(sketch.entities.map(\.id)) : nil
        var entity = VersionSketch.Entity(
            id: id, name: name("E", id), parent: above, isAbstract: chance(15))
        for _ in 0..<random.next(below: 4) { entity.attributes.append(newAttribute(&sketch)) }
        log.append("add entity \(entity.name)")
        sketch.entities.append(entity)
    }

    private mutating func addRelationship(_ sketch: inout VersionSketch) {
        guard let owner = pick(sketch.entities)?.id, let destination = pick(sketch.entities)?.id else { return }
        let id = sketch.newID()
        var relationship = VersionSketch.Relationship(
            id: id, first: newEnd(&sketch, owner), second: nil, destination: destination)
        if chance(75) { relationship.second = newEnd(&sketch, destination) }
        log.append("add relationship \(relationship.first.name)")
        sketch.relationships.append(relationship)
    }

    private mutating func newEnd(_ sketch: inout VersionSketch, _ owner: Int) -> VersionSketch.End {
        let id = sketch.newID()
        return VersionSketch.End(
            id: id, name: name("r", id), owner: owner, isToMany: chance(55), isOrdered: chance(40))
    }

    // MARK: The next version

    package mutating func edit(_ sketch: VersionSketch) -> VersionSketch {
        var next = sketch
        for _ in 0..<(1 + random.next(below: 5)) {
            change(&next)
            next.prune()
        }
        return next
    }

    private mutating func change(_ sketch: inout VersionSketch) {
        switch random.next(below: 21) {
        case 0: addEntity(&sketch)
        case 1: removeEntity(&sketch)
        case 2: renameEntity(&sketch)
        case 3, 4: addAttribute(&sketch)
        case 5: removeAttribute(&sketch)
        case 6: renameAttribute(&sketch)
        case 7: requireAttribute(&sketch)
        case 8: addRelationship(&sketch)
        case 9: removeRelationship(&sketch)
        case 10: renameEnd(&sketch)
        case 11: widenEnd(&sketch)
        case 12: addInverse(&sketch)
        case 13: moveAttribute(&sketch)
        case 14: moveLargeValues(&sketch)
        case 15: makeUnique(&sketch)
        case 16, 17: addDerived(&sketch)
        case 18: removeDerived(&sketch)
        case 19: addIndex(&sketch)
        default: insertParent(&sketch)
        }
    }

    private mutating func removeEntity(_ sketch: inout VersionSketch) {
        let leaves = sketch.entities.filter { entity in !sketch.entities.contains { $0.parent == entity.id } }
        guard sketch.entities.count > 1, let entity = pick(leaves) else { return }
        log.append("remove entity \(entity.name)")
        sketch.relationships.removeAll { $0.first.owner == entity.id || $0.destination == entity.id }
        sketch.entities.removeAll { $0.id == entity.id }
    }

    private mutating func renameEntity(_ sketch: inout VersionSketch) {
        guard let entity = pick(sketch.entities), let index = sketch.index(entity.id) else { return }
        sketch.entities[index].identifier = entity.identifier ?? entity.name
        sketch.entities[index].name = name("F", sketch.newID())
        log.append("rename entity \(entity.name) to \(sketch.entities[index].name)")
    }

    private mutating func addAttribute(_ sketch: inout VersionSketch) {
        guard let entity = pick(sketch.entities), let index = sketch.index(entity.id) else { return }
        let attribute = newAttribute(&sketch)
        log.append("add attribute \(entity.name).\(attribute.name)")
        sketch.entities[index].attributes.append(attribute)
    }

    /// An attribute of a random entity: the places of both.
    private mutating func attribute(_ sketch: VersionSketch) -> (entity: Int, place: Int)? {
        let places = sketch.entities.indices.flatMap { index in
            sketch.entities[index].attributes.indices.map { (entity: index, place: $0) }
        }
        return pick(places)
    }

    private mutating func removeAttribute(_ sketch: inout VersionSketch) {
        guard let (entity, place) = attribute(sketch) else { return }
        log.append("remove attribute \(sketch.entities[entity].attributes[place].name)")
        sketch.entities[entity].attributes.remove(at: place)
    }

    private mutating func renameAttribute(_ sketch: inout VersionSketch) {
        guard let (entity, place) = attribute(sketch) else { return }
        let attribute = sketch.entities[entity].attributes[place]
        sketch.entities[entity].attributes[place].identifier = attribute.identifier ?? attribute.name
        sketch.entities[entity].attributes[place].name = name("b", sketch.newID())
        log.append("rename attribute \(attribute.name)")
    }

    private mutating func requireAttribute(_ sketch: inout VersionSketch) {
        guard let (entity, place) = attribute(sketch) else { return }
        let attribute = sketch.entities[entity].attributes[place]
        guard attribute.type != .compositeAttributeType else { return }
        log.append("make attribute \(attribute.name) \(attribute.isOptional ? "required" : "optional")")
        sketch.entities[entity].attributes[place].isOptional.toggle()
        if attribute.isOptional, attribute.defaultValue == nil, chance(80) {
            sketch.entities[entity].attributes[place].defaultValue = random.next(below: 50)
        }
    }

    /// Large values go to files, or come into the rows.
    private mutating func moveLargeValues(_ sketch: inout VersionSketch) {
        let places = sketch.entities.indices.flatMap { index in
            sketch.entities[index].attributes.indices.map { (entity: index, place: $0) }
        }.filter { sketch.entities[$0.entity].attributes[$0.place].type == .binaryDataAttributeType }
        guard let (entity, place) = pick(places) else { return }
        log.append("move large values of \(sketch.entities[entity].attributes[place].name)")
        sketch.entities[entity].attributes[place].isExternal.toggle()
    }

    /// Values must be unique, which they may not be, or need no longer be.
    private mutating func makeUnique(_ sketch: inout VersionSketch) {
        guard let entity = pick(sketch.entities), let index = sketch.index(entity.id) else { return }
        let types: [NSAttributeType] = [
            .stringAttributeType, .integer32AttributeType, .dateAttributeType, .UUIDAttributeType,
        ]
        let attribute = pick(entity.attributes.filter { types.contains($0.type) })
        sketch.entities[index].unique = entity.unique == nil ? attribute?.id : nil
        log.append("make unique in \(entity.name): \(attribute?.name ?? "nothing")")
    }

    private mutating func addDerived(_ sketch: inout VersionSketch) {
        guard let entity = pick(sketch.entities), let index = sketch.index(entity.id) else { return }
        let texts = sketch.attributes(entity.id).filter { $0.type == .stringAttributeType }
        let ends = sketch.ends(entity.id).filter(\.isToMany)
        let sources =
            texts.map { VersionSketch.Derived.Source.capitals(attribute: $0.id) } + ends.map { .count(end: $0.id) }
        guard let source = pick(sources) else { return }
        let id = sketch.newID()
        let derived = VersionSketch.Derived(id: id, name: name("d", id), source: source)
        log.append("add derived attribute \(entity.name).\(derived.name)")
        sketch.entities[index].derived.append(derived)
    }

    private mutating func removeDerived(_ sketch: inout VersionSketch) {
        guard let index = pick(sketch.entities.indices.filter { !sketch.entities[$0].derived.isEmpty }) else { return }
        log.append("remove derived attribute \(sketch.entities[index].derived[0].name)")
        sketch.entities[index].derived.removeFirst()
    }

    /// An index comes, or those that are there go.
    private mutating func addIndex(_ sketch: inout VersionSketch) {
        guard let entity = pick(sketch.entities), let index = sketch.index(entity.id) else { return }
        if !entity.indexes.isEmpty, chance(50) {
            log.append("remove indexes of \(entity.name)")
            sketch.entities[index].indexes = []
            return
        }
        let attributes = entity.attributes.filter { $0.type != .compositeAttributeType && chance(60) }.map(\.id)
        guard !attributes.isEmpty else { return }
        log.append("add index to \(entity.name)")
        sketch.entities[index].indexes.append(
            VersionSketch.Index(name: name("i", sketch.newID()), attributes: attributes))
    }

    private mutating func removeRelationship(_ sketch: inout VersionSketch) {
        guard let relationship = pick(sketch.relationships) else { return }
        log.append("remove relationship \(relationship.first.name)")
        sketch.relationships.removeAll { $0.id == relationship.id }
    }

    private mutating func renameEnd(_ sketch: inout VersionSketch) {
        guard let place = pick(Array(sketch.relationships.indices)) else { return }
        let end = sketch.relationships[place].first
        sketch.relationships[place].first.identifier = end.identifier ?? end.name
        sketch.relationships[place].first.name = name("s", sketch.newID())
        log.append("rename relationship \(end.name)")
    }

    /// To-one becomes to-many, unordered ordered or the other way round; to-many rarely to-one, which is to be refused.
    private mutating func widenEnd(_ sketch: inout VersionSketch) {
        guard let place = pick(Array(sketch.relationships.indices)) else { return }
        let isSecond = sketch.relationships[place].second != nil && chance(50)
        var end =
            isSecond
            ? sketch.relationships[place].second ?? sketch.relationships[place].first
            : sketch.relationships[place].first
        if !end.isToMany {
            end.isToMany = true
        } else if chance(85) {
            end.isOrdered.toggle()
        } else {
            end.isToMany = false
        }
        log.append("change relationship \(end.name): to-many \(end.isToMany), ordered \(end.isOrdered)")
        if isSecond { sketch.relationships[place].second = end } else { sketch.relationships[place].first = end }
    }

    private mutating func addInverse(_ sketch: inout VersionSketch) {
        let open = sketch.relationships.indices.filter { sketch.relationships[$0].second == nil }
        guard let place = pick(open) else { return }
        sketch.relationships[place].second = newEnd(&sketch, sketch.relationships[place].destination)
        let ends = sketch.relationships[place]
        log.append("add inverse of \(ends.first.name): \(ends.second?.name ?? "")")
    }

    private mutating func moveAttribute(_ sketch: inout VersionSketch) {
        guard let (entity, place) = attribute(sketch), let parent = sketch.entities[entity].parent,
            let target = sketch.index(parent)
        else { return }
        let attribute = sketch.entities[entity].attributes.remove(at: place)
        log.append("move attribute \(attribute.name) to \(sketch.entities[target].name)")
        sketch.entities[target].attributes.append(attribute)
    }

    /// A new entity between another and what is above it.
    private mutating func insertParent(_ sketch: inout VersionSketch) {
        guard let entity = pick(sketch.entities), let index = sketch.index(entity.id) else { return }
        let id = sketch.newID()
        var parent = VersionSketch.Entity(
            id: id, name: name("P", id), parent: entity.parent, isAbstract: chance(50))
        if chance(50) { parent.attributes.append(newAttribute(&sketch)) }
        sketch.entities[index].parent = id
        sketch.entities.append(parent)
        log.append("put \(parent.name) above \(entity.name)")
    }
}
